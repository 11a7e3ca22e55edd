import { setMaxListeners } from 'node:events';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { addressOfUrl } from '../addresses/url-address.ts';
import { holdingClock, processClock } from '../time/clock.ts';
import { openConnection, type PreparedTls, prepareTls } from './connect.ts';
import type { ConnectionAgent, ConnectionArguments } from './connection-agent.ts';
import type { Address, Dialer } from './dialer.ts';
import type { RequestObserver } from './egress.ts';
import { exchange, type OutboundStream } from './exchange.ts';
import { exchangeError } from './failure-text.ts';
import { OutboundError, requestError, responseError } from './outbound-error.ts';
import { readBody } from './read-body.ts';
import { RequestLimit } from './request-limit.ts';
import type { TargetOptions } from './target-options.ts';

/** Header values by name; a list is sent as several headers. */
export type OutboundHeaders = Readonly<Record<string, string | readonly string[]>>;

export interface OutboundRequest {
  readonly method: string;
  /** Path and query, appended to the path of the server. */
  readonly path: string;
  readonly headers?: OutboundHeaders;
  readonly body?: string | Uint8Array | Readable;
  /** Milliseconds until the response has begun (`open`) or ended (`send`). */
  readonly timeout?: number;
  /** Aborts the request, at any time until the response has ended. */
  readonly signal?: AbortSignal;
  /**
   * The server may process the request twice: it is sent again on a new connection if the server closed a
   * kept one before responding.
   */
  readonly idempotent?: boolean;
}

export interface BoundedRequest extends OutboundRequest {
  readonly body?: string | Uint8Array;
  readonly timeout: number;
  /** Maximum bytes of the response body, decompressed; a longer one fails the request with code `EFBIG`. */
  readonly maximumBytes: number;
}

export interface OutboundResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface Shared {
  readonly agent: ConnectionAgent;
  readonly limit: RequestLimit;
  readonly dialer: Dialer;
  readonly key: string;
  readonly observe: RequestObserver | undefined;
}

const DEFAULT_REQUESTS = 64;
const DEFAULT_WAITING = 1024;
/** The status code in metrics of a request that got no response. */
const NO_RESPONSE = '<error>';

/** Sends requests to one server. Created by {@link OutboundClient.target}. */
export class OutboundTarget {
  readonly #shared: Shared;
  readonly #options: TargetOptions;
  readonly #limit: RequestLimit;
  readonly #secure: boolean;
  /** Scheme, host and path as configured: errors show them so. */
  readonly #server: string;
  readonly #authority: string;
  readonly #basePath: string;
  readonly #address: Address;
  /** Ends each request in progress. */
  readonly #requests = new Set<() => void>();
  #closed = false;
  #retired = false;
  #tls: PreparedTls | undefined;

  /** @throws TypeError for an invalid URL */
  constructor(shared: Shared, options: TargetOptions) {
    this.#shared = shared;
    this.#options = options;
    this.#limit = new RequestLimit(
      options.maximumRequests ?? DEFAULT_REQUESTS,
      options.maximumWaiting ?? DEFAULT_WAITING,
    );
    const url = new URL(options.server);
    const { protocol, pathname } = url;
    this.#secure = protocol === 'https:';
    this.#server = options.server.endsWith('/') ? options.server.slice(0, -1) : options.server;
    this.#basePath = pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
    this.#authority = this.#server.slice(protocol.length + 2).split('/', 1)[0]!;
    this.#address = addressOfUrl(url);
  }

  /**
   * Sends a request and reads the response, of any status, into memory. Rejects with OutboundError. Until the
   * response begins, its message names method and URL: `Post "https://a.test/x": EOF`.
   */
  async send(request: BoundedRequest): Promise<OutboundResponse> {
    const watch = this.#watch(request);
    const started = processClock.monotonic();
    let code = NO_RESPONSE;
    let received = 0;
    try {
      const headers = { 'accept-encoding': 'gzip', ...request.headers };
      const response = await this.#exchange({ ...request, headers }, watch.signal);
      code = String(response.status);
      const body = await readBody(response.body, response.headers, request.maximumBytes);
      received = body.length;
      return { status: response.status, headers: response.headers, body };
    } catch (error) {
      const cause = watch.signal.aborted ? watch.signal.reason : error;
      if (code === NO_RESPONSE || isTooLong(error)) throw this.#named(request, cause);
      throw responseError(exchangeError(cause, true));
    } finally {
      watch.end();
      const { method, body = '' } = request;
      this.#shared.observe?.(
        { method, host: this.#authority, code },
        (processClock.monotonic() - started) / 1000,
        Buffer.byteLength(body),
        received,
      );
    }
  }

  /**
   * Sends a request and resolves when the response has begun. The caller reads or destroys its body, or takes
   * over the connection of an upgrade. The signal remains in effect until the response has ended. Rejects as
   * `send` does.
   */
  async open(request: OutboundRequest): Promise<OutboundStream> {
    const watch = this.#watch(request);
    try {
      return await this.#exchange(request, watch.signal, watch.end);
    } catch (error) {
      throw this.#named(request, error);
    } finally {
      watch.begun();
    }
  }

  /** Closes connections as soon as they are idle: another target takes the place of this one. */
  retire(): void {
    this.#retired = true;
    this.#shared.agent.closeIdle(this.#shared.key);
  }

  /** Closes idle connections and fails requests in progress; further requests fail, too. */
  close(): void {
    this.#closed = true;
    for (const end of this.#requests) end();
    this.#shared.agent.closeIdle(this.#shared.key);
  }

  /** The URL of a request path, as errors show it. */
  urlOf(path: string): string {
    return `${this.#server}${path}`;
  }

  #named({ method, path }: OutboundRequest, error: unknown): OutboundError {
    return requestError(method, this.urlOf(path), exchangeError(error, false));
  }

  /** Combines what may end a request: its deadline, its caller and the end of this client. */
  #watch({ timeout, signal }: OutboundRequest) {
    const stop = new AbortController();
    const abort = () => stop.abort(abortError(signal?.reason));
    const close = () => stop.abort(new OutboundError('the client is closed', 'ABORT_ERR'));
    const stopTimer =
      timeout === undefined
        ? () => undefined
        : holdingClock.after(Math.max(timeout, 0), () => stop.abort(deadlineExceeded()));
    if (signal !== undefined) {
      // One signal may end many requests at once.
      setMaxListeners(0, signal);
      signal.addEventListener('abort', abort, { once: true });
    }
    this.#requests.add(close);
    if (signal?.aborted === true) abort();
    if (this.#closed) close();
    return {
      signal: stop.signal,
      /** The response has begun. */
      begun: stopTimer,
      end: () => {
        stopTimer();
        signal?.removeEventListener('abort', abort);
        this.#requests.delete(close);
      },
    };
  }

  async #exchange(
    request: OutboundRequest,
    signal: AbortSignal,
    ended: () => void = () => undefined,
  ): Promise<OutboundStream> {
    const held: RequestLimit[] = [];
    let released = false;
    const release = () => {
      if (released) return;
      released = true;
      for (const limit of held) limit.release();
      // The connection becomes idle in this turn of the event loop.
      if (this.#retired) processClock.soon(() => this.#shared.agent.closeIdle(this.#shared.key));
      ended();
    };
    try {
      signal.throwIfAborted();
      for (const limit of [this.#limit, this.#shared.limit]) {
        const turn = limit.acquire(signal);
        if (turn !== undefined) await turn;
        held.push(limit);
      }
      this.#tls ??= this.#secure ? prepareTls(this.#options.tls ?? {}) : undefined;
      const args = this.#arguments(request, this.#tls, signal);
      const { agent } = this.#shared;
      return await exchange(
        { agent, request: args, body: request.body, signal, released: release },
        request.idempotent === true,
      );
    } catch (error) {
      release();
      throw error;
    }
  }

  #arguments(
    { method, path, headers, body }: OutboundRequest,
    tls: PreparedTls | undefined,
    signal: AbortSignal,
  ): ConnectionArguments {
    const { dialer, key } = this.#shared;
    return {
      method,
      path: `${this.#basePath}${path}` || '/',
      setHost: false,
      headers: {
        host: this.#authority,
        ...this.#options.headers?.(),
        ...lengthHeaders(body, headers),
        ...(headers as OutgoingHttpHeaders | undefined),
      },
      connectionKey: key,
      openConnection: async () => {
        const address = (await this.#options.resolve?.()) ?? this.#address;
        const { connectTimeout: timeout } = this.#options;
        return openConnection({ address, tls, host: this.#address.host, dialer, timeout, signal });
      },
    };
  }
}

/** The framing of a body, unless the caller chose it. */
function lengthHeaders(body: OutboundRequest['body'], headers: OutboundHeaders = {}): OutgoingHttpHeaders {
  if (body === undefined) return {};
  if (!(body instanceof Readable)) return { 'content-length': Buffer.byteLength(body) };
  return headers['content-length'] === undefined ? { 'transfer-encoding': 'chunked' } : {};
}

const isTooLong = (error: unknown): boolean => (error as Partial<OutboundError>).code === 'EFBIG';

const deadlineExceeded = (): OutboundError => new OutboundError('context deadline exceeded', 'ETIMEDOUT');

/** The error of a request whose caller aborted it. */
function abortError(reason: unknown): OutboundError {
  if (reason instanceof OutboundError) return reason;
  return (reason as Error | undefined)?.name === 'TimeoutError'
    ? deadlineExceeded()
    : new OutboundError('context canceled', 'ABORT_ERR');
}
