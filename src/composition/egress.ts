import { addressOfUrl } from '../addresses/url-address.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { readTextFile } from '../files/files.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import type { EgressProxy } from '../options/documents/egress.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import { prepareTls } from '../outbound/connect.ts';
import { connectProxyDialer, type DialObserver } from '../outbound/connect-proxy.ts';
import type { Dialer } from '../outbound/dialer.ts';
import { DIRECT_EGRESS, type Egress, type RequestObserver } from '../outbound/egress.ts';

const PROTOCOL = 'http_connect';

/** How each network is reached, as the file of the flag says. @throws ConfigurationError */
export async function createEgress(
  { egressSelectorConfigFile }: OptionSlice<'egressSelectorConfigFile'>,
  metrics: ServerMetrics,
): Promise<Egress> {
  const observe = observeRequests(metrics);
  if (egressSelectorConfigFile === '') return { ...DIRECT_EGRESS, observe };
  const { readEgressFile } = await import('../options/documents/egress.ts');
  const proxied = readEgressFile(egressSelectorConfigFile).map(
    (proxy) => [proxy.name, proxyDialer(proxy, metrics)] as const,
  );
  return { ...DIRECT_EGRESS, observe, ...Object.fromEntries(proxied) };
}

/** Records requests to other servers. `inProcessSender` records the requests of this server to itself. */
export function observeRequests(metrics: ServerMetrics): RequestObserver {
  return ({ method, host, code }, seconds, sentBytes, receivedBytes) => {
    metrics.clientRequests.with(code, method, host).add();
    metrics.clientDuration.with(method, host).observe(seconds);
    metrics.clientSent.with(method, host).observe(sentBytes);
    metrics.clientReceived.with(method, host).observe(receivedBytes);
  };
}

function proxyDialer({ name, url, socket, tls }: EgressProxy, metrics: ServerMetrics): Dialer {
  // etcd's are the only connections that may speak HTTP/2 without TLS.
  const serversSpeakFirst = name === 'etcd';
  const observer = dialObserver(metrics, url === undefined ? 'uds' : 'tcp');
  if (url === undefined)
    return connectProxyDialer({ address: socket!, tls: undefined, serversSpeakFirst }, observer);
  const address = addressOfUrl(new URL(url));
  try {
    const prepared =
      tls &&
      prepareTls({
        ...(tls.caBundle === undefined ? {} : { caBundle: readTextFile(tls.caBundle) }),
        certificate: readTextFile(tls.clientCert),
        key: readTextFile(tls.clientKey),
      });
    return connectProxyDialer({ address, tls: prepared, serversSpeakFirst }, observer);
  } catch (error) {
    throw new ConfigurationError(
      `failed to create dialer for egressSelection ${JSON.stringify(name)}: ${(error as Error).message}`,
    );
  }
}

function dialObserver(metrics: ServerMetrics, transport: 'tcp' | 'uds'): DialObserver {
  const starts = metrics.egressDialStarts.with(PROTOCOL, transport);
  const duration = metrics.egressDialDuration.with(PROTOCOL, transport);
  return {
    started: () => starts.add(),
    connected: (seconds) => duration.observe(seconds),
    failed: (stage) => metrics.egressDialFailures.with(PROTOCOL, transport, stage).add(),
  };
}
