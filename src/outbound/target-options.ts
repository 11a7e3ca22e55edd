import type { TlsSettings } from './connect.ts';
import type { Address } from './dialer.ts';
import type { Network } from './egress.ts';

/** A server and how to reach it. */
export interface TargetOptions {
  /** `https://host:port/path` or `http://…`; request paths are appended to its path. */
  readonly server: string;
  readonly tls?: TlsSettings;
  /** Where the server is, which decides about a proxy; `local`: this server. Default: the control plane. */
  readonly network?: Network | 'local';
  /**
   * The address of a new connection, for example of a Service; default: host and port of `server`. An error
   * that it throws fails the request with its message.
   */
  readonly resolve?: () => Address | Promise<Address>;
  /** Milliseconds to connect, before TLS; default 30 seconds. */
  readonly connectTimeout?: number;
  /** Headers of every request, asked for each because tokens rotate; a request's own take precedence. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** Concurrent requests; default 64. A request holds its place until its response has ended. */
  readonly maximumRequests?: number;
  /**
   * Requests that wait for those in progress, within their deadline; default 1024. Beyond it they fail with
   * code `EBUSY`.
   */
  readonly maximumWaiting?: number;
}
