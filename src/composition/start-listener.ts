import type { ExchangeHandler } from '../connection/exchange.ts';
import { listen } from '../connection/listen-port.ts';
import { createListener, type Listener } from '../connection/listener.ts';
import { localUrl } from '../kubeconfig/write-kubeconfig.ts';
import { type Logger, stackOf } from '../observability/log.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { Configuration } from '../options/options.ts';
import type { TlsMaterial } from './serving-certificates.ts';

/** A listening server. */
export interface ServerListener {
  readonly listener: Listener;
  readonly port: number;
  /** `https://host:port` for local clients. */
  readonly url: string;
}

/** The options of the listener. */
type ListenerOptionSlice = OptionSlice<
  | 'bindAddress'
  | 'disableHttp2Serving'
  | 'goawayChance'
  | 'http2MaxStreamsPerConnection'
  | 'securePort'
  | 'tlsCipherSuites'
  | 'tlsMinVersion'
>;

/** Starts listening as configured. @throws ConfigurationError if the port is in use or not permitted */
export async function startListener(
  { values, given }: Configuration<ListenerOptionSlice>,
  tls: TlsMaterial,
  handler: ExchangeHandler,
  logger: Logger,
): Promise<ServerListener> {
  const listener = createListener({
    key: tls.serving.key,
    cert: tls.serving.certificate,
    clientAuthorities: [tls.generated.authority.certificate],
    handler,
    onHandlerError: (error) => logger.error('request failed outside of the chain', { err: stackOf(error) }),
    sniCertificates: tls.named.map(({ names, certificate, key }) => ({ names, cert: certificate, key })),
    http2: !values.disableHttp2Serving,
    goawayChance: values.goawayChance,
    ...(values.http2MaxStreamsPerConnection > 0
      ? { http2MaxStreams: values.http2MaxStreamsPerConnection }
      : {}),
    tlsMinVersion: values.tlsMinVersion,
    tlsCipherSuites: values.tlsCipherSuites,
  });
  try {
    const explicit = given.has('securePort');
    const port = await listen(listener, {
      address: values.bindAddress,
      port: values.securePort,
      explicit,
    });
    return { listener, port, url: localUrl(values.bindAddress, port) };
  } catch (error) {
    await listener.close();
    throw error;
  }
}
