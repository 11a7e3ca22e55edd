import { isIPv6 } from 'node:net';
import { withoutBrackets } from '../addresses/url-address.ts';
import { GRPC, GrpcError } from '../grpc/grpc.ts';
import { Http2Channel } from '../grpc/http2-channel.ts';
import type { Dialer } from '../outbound/dialer.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import { timeoutSignal } from '../time/pause.ts';

/** Where the collector listens. */
export type CollectorAddress =
  | { readonly host: string; readonly port: number }
  /** Path of a Unix socket; an abstract one begins with NUL. */
  | { readonly path: string };

const DEFAULT_PORT = 443;
const METHOD = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
/** Codes of failures that may pass. */
const TRANSIENT = new Set<number>([
  GRPC.cancelled,
  GRPC.deadlineExceeded,
  GRPC.resourceExhausted,
  GRPC.aborted,
  GRPC.outOfRange,
  GRPC.unavailable,
  GRPC.dataLoss,
]);
/** Milliseconds. */
const CONNECT_TIMEOUT = 10_000;
const KEEPALIVE_TIMEOUT = 3000;

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
export function parseTarget(target: string): CollectorAddress {
  const endpoint = target.replace(/^[A-Za-z-]+(?=:\/\/)/, (scheme) => scheme.toLowerCase());
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
  if (!Number.isInteger(port)) return { host: withoutBrackets(name), port: DEFAULT_PORT };
  return { host: withoutBrackets(name.slice(0, colon)), port };
}

/** The gRPC client of a collector, over HTTP/2 without TLS. Connects on demand and again after failures. */
export class Collector {
  readonly #channel: Http2Channel;

  /** @param dial opens connections to a host; a Unix socket is on this machine */
  constructor(endpoint: string, dial: Dialer) {
    const address = parseTarget(endpoint);
    const times = { connectTimeout: CONNECT_TIMEOUT, keepaliveTimeout: KEEPALIVE_TIMEOUT };
    if ('path' in address)
      this.#channel = new Http2Channel('http://localhost', { ...times, socket: address.path });
    else {
      const host = isIPv6(address.host) ? `[${address.host}]` : address.host;
      const url = `http://${host}:${address.port}`;
      this.#channel = new Http2Channel(URL.canParse(url) ? url : 'http://localhost', {
        ...times,
        dial: (_, signal) => dial(address, signal),
      });
    }
  }

  /** Sends one request within a deadline in milliseconds. Rejects with ExportError. */
  async send(message: Uint8Array, timeout: number): Promise<void> {
    try {
      await this.#channel.unary(METHOD, message, { timeout, signal: timeoutSignal(timeout) });
    } catch (error) {
      if (!(error instanceof GrpcError)) throw error;
      throw new ExportError(error.message, !error.answered || TRANSIENT.has(error.status));
    }
  }

  close(): void {
    this.#channel.close();
  }
}
