import { X509Certificate } from 'node:crypto';
import { ReadableStream } from 'node:stream/web';
import type { ExchangeHandler } from '../connection/exchange.ts';
import { createInProcessExchange } from '../connection/in-process.ts';
import { holdingClock } from '../time/clock.ts';

/** Options of a request without a socket, as those of `fetch`. */
export interface RequestOptions {
  /** Default GET. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes are sent unchanged; any other value is sent as JSON. */
  readonly body?: unknown;
  /** Aborting it disconnects the client, which ends a watch. */
  readonly signal?: AbortSignal;
}

/** `fetch` without a socket. Rejects when the exchange ends without a response. */
export type InProcessFetch = (target: string, options?: RequestOptions) => Promise<Response>;

/** The longest timer interval, in milliseconds. */
const LONGEST_INTERVAL = 2 ** 31 - 1;

/** Statuses whose responses have no body. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** What requests without an `authorization` header carry: a client certificate, PEM, or a bearer token. */
export type FetchCredentials = string | { readonly token: string };

/**
 * A `fetch` whose requests go through the whole filter chain in this process. They carry the credentials, so they are
 * authenticated as their user, unless a request has an `authorization` header.
 */
export function inProcessFetch(handle: ExchangeHandler, credentials: FetchCredentials): InProcessFetch {
  const isToken = typeof credentials !== 'string';
  // One list for all requests: the authenticator caches its verdict by the list.
  const peerCertificates = isToken ? undefined : [new X509Certificate(credentials)];
  const own: Readonly<Record<string, string>> = isToken
    ? { authorization: `Bearer ${credentials.token}` }
    : {};
  return async (target, { method = 'GET', headers = {}, body, signal } = {}) => {
    const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
    const given = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const { exchange, response } = createInProcessExchange({
      method,
      target,
      headers: {
        accept: 'application/json',
        ...own,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...given,
      },
      ...(body === undefined ? {} : { body: isRaw ? (body as string | Uint8Array) : JSON.stringify(body) }),
      ...(given['authorization'] === undefined && peerCertificates !== undefined ? { peerCertificates } : {}),
      ...(signal === undefined ? {} : { signal }),
    });
    handle(exchange);
    const answer = await whileAlive(response);
    const stream = WITHOUT_BODY.has(answer.status) ? null : streamOf(answer.body, signal);
    return new Response(stream as ConstructorParameters<typeof Response>[0], {
      status: answer.status,
      headers: responseHeaders(answer.headers),
    });
  };
}

/** A response body as a web stream without read-ahead. */
function streamOf(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await whileAlive(chunks.next());
        signal?.throwIfAborted();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => void (await chunks.return?.()),
    },
    { highWaterMark: 0 },
  );
}

/**
 * Keeps the process alive until the promise settles. The server does not, so a script that awaits it would otherwise end.
 */
export async function whileAlive<Result>(promise: Promise<Result>): Promise<Result> {
  const release = holdingClock.every(LONGEST_INTERVAL, () => undefined);
  try {
    return await promise;
  } finally {
    release();
  }
}

function responseHeaders(headers: Readonly<Record<string, string | readonly string[]>>): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(headers))
    for (const one of typeof value === 'string' ? [value] : value) result.append(name, one);
  return result;
}
