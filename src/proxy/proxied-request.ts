import type { ProxyHeaders } from './headers.ts';

/** A request as it is sent to an extension server. */
export interface ProxiedRequest {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly path: string;
  readonly headers: ProxyHeaders;
  readonly signal: AbortSignal;
}
