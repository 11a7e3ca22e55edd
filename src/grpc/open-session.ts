import { type ClientHttp2Session, connect } from 'node:http2';
import { connect as connectSocket, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { type SecureContextOptions, connect as startTls } from 'node:tls';
import { addressOfUrl } from '../addresses/url-address.ts';

/** Opens a byte stream to an address; aborting the signal ends the attempt. */
export type Dial = (
  address: { readonly host: string; readonly port: number },
  signal: AbortSignal,
) => Promise<Duplex>;

/** How an endpoint is reached. */
export interface SessionOptions {
  /** Certificates for TLS: `ca`, `cert` and `key`. */
  readonly tls?: Pick<SecureContextOptions, 'ca' | 'cert' | 'key'>;
  /** Path of a Unix socket to connect to, instead of the host of the URL. */
  readonly socket?: string;
  /** Opens the connections to the host of the URL; default: directly. */
  readonly dial?: Dial;
}

const streamWindowBytes = 4 << 20;

/**
 * Opens an HTTP/2 session. `started` is called with it, at once or when the connection is dialed; it may still
 * have to connect.
 * @param url `http://` or `https://` with host and port
 */
export function openSession(
  url: string,
  { tls: certificates, socket, dial }: SessionOptions,
  signal: AbortSignal,
  started: (session: ClientHttp2Session) => void,
  failed: (error: Error) => void,
): void {
  // Each certificate of the CA bundle is trusted, like in Go.
  const tls = { allowPartialTrustChain: true, ...certificates };
  const start = (createConnection?: () => Duplex) =>
    started(
      connect(url, {
        ...tls,
        ...(createConnection !== undefined && { createConnection }),
        settings: { initialWindowSize: streamWindowBytes },
      }),
    );
  if (socket !== undefined) start(() => connectSocket(socket));
  else if (dial === undefined) start();
  else {
    const parsed = new URL(url);
    const address = addressOfUrl(parsed);
    const { host } = address;
    const servername = isIP(host) === 0 ? { servername: host } : {};
    dial(address, signal).then((stream) => {
      if (signal.aborted) stream.destroy();
      else if (parsed.protocol !== 'https:') start(() => stream);
      else start(() => startTls({ ...tls, socket: stream, host, ...servername, ALPNProtocols: ['h2'] }));
    }, failed);
  }
}
