import { type ClientHttp2Session, connect as startHttp2 } from 'node:http2';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Dialer } from '../outbound/dialer.ts';
import { OutboundError } from '../outbound/outbound-error.ts';

/** Where the collector listens. */
export type CollectorAddress =
  | { readonly host: string; readonly port: number }
  /** Path of a Unix socket; an abstract one begins with NUL. */
  | { readonly path: string };

const DEFAULT_PORT = 443;
const METHOD = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
/** gRPC codes of failures that may pass: cancelled, deadline, exhausted, aborted, out of range, unavailable. */
const TRANSIENT = new Set(['1', '4', '8', '10', '11', '14', '15']);

/** An export failed. */
export class ExportError extends OutboundError {
  override name = 'ExportError';
  constructor(
    message: string,
    /** A later attempt may succeed. */
    readonly isTransient: boolean,
  ) {
    super(message);
  }
}

/** Parses a gRPC target: `host:port`, `dns://[authority]/host:port`, `unix:path`, `unix-abstract:name`. */
export function parseTarget(endpoint: string): CollectorAddress {
  if (endpoint.startsWith('unix-abstract:'))
    return { path: `\0${endpoint.slice('unix-abstract:'.length).replace(/^\/\//, '')}` };
  if (endpoint.startsWith('unix:')) return { path: endpoint.slice('unix:'.length).replace(/^\/\//, '') };
  const authority = endpoint.startsWith('dns://')
    ? endpoint.slice('dns://'.length)
    : endpoint.replace(/^dns:/, '');
  // `dns://resolver/host:port`; collectors are also written as `dns://host:port`.
  const name = authority.slice(authority.indexOf('/') + 1);
  const colon = name.lastIndexOf(':');
  const port = colon > name.lastIndexOf(']') ? Number(name.slice(colon + 1)) : Number.NaN;
  if (!Number.isInteger(port)) return { host: name.replace(/^\[|\]$/g, ''), port: DEFAULT_PORT };
  return { host: name.slice(0, colon).replace(/^\[|\]$/g, ''), port };
}

/** The gRPC client of a collector, over HTTP/2 without TLS. Connects on demand and again after failures. */
export class Collector {
  readonly #address: CollectorAddress;
  readonly #dialer: Dialer;
  readonly #authority: string;
  #session: ClientHttp2Session | undefined;

  /** @param dialer opens connections to a host; a Unix socket is on this machine */
  constructor(endpoint: string, dialer: Dialer) {
    this.#address = parseTarget(endpoint);
    this.#dialer = dialer;
    this.#authority = 'path' in this.#address ? 'localhost' : `${this.#address.host}:${this.#address.port}`;
  }

  /** Sends one request within a deadline in milliseconds. Rejects with ExportError. */
  async send(message: Uint8Array, timeout: number): Promise<void> {
    const signal = AbortSignal.timeout(timeout);
    try {
      await this.#call(await this.#connected(signal), message, signal);
    } catch (error) {
      if (error instanceof ExportError) throw error;
      this.close();
      throw new ExportError(signal.aborted ? 'deadline exceeded' : (error as Error).message, true);
    }
  }

  close(): void {
    this.#session?.destroy();
    this.#session = undefined;
  }

  async #connected(signal: AbortSignal): Promise<ClientHttp2Session> {
    if (this.#session !== undefined && !this.#session.closed && !this.#session.destroyed)
      return this.#session;
    const socket: Duplex =
      'path' in this.#address ? connect(this.#address) : await this.#dialer(this.#address, signal);
    const session = startHttp2(`http://${this.#authority}`, { createConnection: () => socket });
    // A failure of the connection reaches the request in progress; an idle connection is replaced.
    session.on('error', () => session.destroy());
    session.unref();
    this.#session = session;
    return session;
  }

  #call(session: ClientHttp2Session, message: Uint8Array, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stream = session.request({
        ':method': 'POST',
        ':path': METHOD,
        ':scheme': 'http',
        'content-type': 'application/grpc',
        te: 'trailers',
        'user-agent': 'binnacle',
      });
      let status = '';
      let text = '';
      const read = (headers: Readonly<Record<string, unknown>>) => {
        status = String(headers['grpc-status'] ?? status);
        text = String(headers['grpc-message'] ?? text);
        const http = Number(headers[':status'] ?? 200);
        if (http !== 200) text = `unexpected HTTP status ${http}`;
      };
      const abort = () => stream.destroy(new Error('deadline exceeded'));
      signal.addEventListener('abort', abort, { once: true });
      stream.on('response', read);
      stream.on('trailers', read);
      stream.on('error', reject);
      stream.on('close', () => {
        signal.removeEventListener('abort', abort);
        if (status === '0') resolve();
        else
          reject(
            new ExportError(text || 'the connection was closed', status === '' || TRANSIENT.has(status)),
          );
      });
      stream.resume();
      const head = Buffer.alloc(5);
      head.writeUInt32BE(message.length, 1);
      stream.end(Buffer.concat([head, message]));
    });
  }
}
