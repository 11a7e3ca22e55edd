import { readFileSync } from 'node:fs';
import type { Endpoint } from './endpoint.ts';
import type { OutboundClient } from './outbound-client.ts';
import type { OutboundResponse } from './outbound-target.ts';

/** Limits of every request. */
export interface RequestBounds {
  /** Milliseconds from the start of a request to the end of its response. */
  readonly timeout: number;
  /** Maximum bytes of a response body; a longer one fails the request. */
  readonly maximumBytes: number;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query, appended to the path of the server. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Sends requests to the server of an endpoint, with its credentials. */
export interface HttpClient {
  /** Resolves with a response of any status. Rejects with OutboundError. */
  send(request: HttpRequest): Promise<OutboundResponse>;
  close(): void;
}

/**
 * Creates a client; its requests go to the network of the control plane. Errors of the endpoint are reported
 * by its requests.
 */
export function createHttpClient(
  endpoint: Endpoint,
  { timeout, maximumBytes }: RequestBounds,
  client: OutboundClient,
): HttpClient {
  const target = client.target({
    server: endpoint.server,
    tls: endpoint,
    headers: () => ({ 'user-agent': 'binnacle', ...authorization(endpoint) }),
    // Each waiter has a deadline, and those who send them are bounded.
    maximumWaiting: Number.POSITIVE_INFINITY,
  });
  return {
    send: (request) => target.send({ ...request, timeout, maximumBytes, idempotent: true }),
    close: () => target.close(),
  };
}

/** The header that a kubeconfig's credentials become. */
export function authorization({ token, tokenFile, username, password }: Endpoint): Record<string, string> {
  const bearer = tokenFile === undefined ? token : (readToken(tokenFile) ?? token);
  if (bearer !== undefined) return { authorization: `Bearer ${bearer}` };
  if (username === undefined && password === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64')}` };
}

/**
 * Returns undefined for a token file that is being replaced: the request is sent without it and at worst
 * denied.
 */
function readToken(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}
