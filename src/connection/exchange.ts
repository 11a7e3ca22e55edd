import type { X509Certificate } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { BinnacleError } from '../errors/binnacle-error.ts';

/** The bytes of a body in parts, which may be shared and must not be changed. */
export interface PartsBody {
  readonly parts: readonly Uint8Array[];
  /** Bytes of all parts. */
  readonly length: number;
}

/** A complete body; a text is sent in UTF-8. */
export type ResponseBody = Uint8Array | string | PartsBody;

/** The bytes of a body at once. */
export function bytesOfBody(body: ResponseBody): Uint8Array {
  if (typeof body === 'string') return Buffer.from(body);
  return 'parts' in body ? Buffer.concat(body.parts, body.length) : body;
}

/**
 * One request and its response, the same interface for HTTP/1.1, HTTP/2 and the in-process client. The layers
 * above use this interface and don't depend on the protocol.
 */
export interface Exchange {
  /** Upper case. */
  readonly method: string;
  /** Path and query as sent, percent-encoded; without {@link pathPrefix}. */
  readonly target: string;
  /** What preceded the path that was sent: that of one of several clusters. Undefined where there is nothing. */
  readonly pathPrefix?: string | undefined;
  readonly protocol: 'HTTP/1.1' | 'HTTP/2.0' | 'in-process';
  /** Host header or :authority. */
  readonly host: string;
  readonly remoteAddress: string;
  /** 0 if the peer has none. */
  readonly remotePort: number;
  /** Value of a request header by lower-case name: the first one of a header that is repeated, as in Go. */
  header(name: string): string | undefined;
  /** All values of a request header that may repeat (impersonation). */
  headerValues(name: string): readonly string[];
  /** Every request header as [lower-case name, value] pairs, for proxies and audit. */
  headers(): Iterable<readonly [string, string]>;
  /**
   * The client's certificate chain, leaf first; undefined without a client certificate. Not verified here.
   */
  readonly peerCertificates: readonly X509Certificate[] | undefined;
  /** Sets whether later requests of the connection come before others when the server is late. */
  prefer(isPreferred: boolean): void;
  /** Whether the client does not read the body of an answer without error, which may be left empty then. */
  readonly ignoresAnswer?: boolean;
  /** Whether the request has a body, which may turn out to be empty. */
  readonly hasBody: boolean;
  /**
   * Counts the body in this account until the exchange has finished, including received bytes that are unread.
   * At most once, before the body is read.
   */
  accountBody(account: BodyAccount): void;
  /**
   * Reads the whole body.
   * @throws BodyTooLargeError above `limit` bytes, BodyRefusedError when the account's limit is exceeded,
   * BodyAbortedError when the client disconnected, BodyMalformedError on bad framing
   */
  readBody(limit: number): Promise<Buffer>;
  /** The raw body as chunks, for proxies. */
  bodyStream(): AsyncIterable<Uint8Array>;

  /** Whether status and headers have been sent. */
  readonly responded: boolean;
  /** Bytes of the response body written so far, after compression and before framing. */
  readonly sentBytes: number;
  /** Aborted when the client disconnects or the response is finished. */
  readonly signal: AbortSignal;
  /** True once the client has disconnected; responses are dropped. */
  readonly closed: boolean;
  /** Sets a response header (Audit-Id, Warning, …), or adds a value to it with `append`. */
  setHeader(name: string, value: string, append?: boolean): void;
  /**
   * Sends a complete response; `status` is 200 to 599. The first response wins: later ones, and those to a
   * disconnected client, are dropped.
   */
  respond(status: number, contentType: string | undefined, body: ResponseBody): void;
  /** Starts a streamed response. */
  startStream(
    status: number,
    contentType: string | undefined,
    headers?: Readonly<Record<string, string>>,
  ): BodyWriter;
  /**
   * Takes over the socket after an upgrade request (WebSocket, exec); undefined if the protocol has no
   * upgrade.
   */
  takeover(): { socket: Duplex; head: Buffer } | undefined;
  /** Ends the stream abruptly, when no response can be sent any more. */
  abort(): void;
  /**
   * Calls back once, when the response has been sent or the client has disconnected; immediately if that has
   * already happened. Cheaper than {@link signal}.
   */
  onFinished(callback: () => void): void;
}

/** Memory account of one request body. */
export interface BodyAccount {
  /** Reserves memory for received bytes; false when the limit is exceeded. */
  reserve(bytes: number): boolean;
  /** Sets the callback for when the memory of an incomplete body is reclaimed for another user. */
  onReclaimed(callback: (() => void) | undefined): void;
  /** The body is complete: its memory is not reclaimed. */
  complete(): void;
  /** Releases the memory. Idempotent. */
  release(): void;
}

/**
 * A streamed body with back-pressure. Queued bytes are bounded per stream and per connection; a peer that
 * stalls past its deadline is disconnected.
 */
export interface BodyWriter {
  /**
   * Queues a chunk. Returns false when the caller should await {@link drained} before writing more: from 256
   * kB queued on this stream, or from 64 kB if the connection has 8 MB queued on all streams. Chunks may be
   * shared and must not be changed.
   */
  write(chunk: Uint8Array): boolean;
  /** The same for many small parts; undefined if a writer is better served with one chunk. */
  writeParts?(parts: readonly Uint8Array[]): boolean;
  /** Resolves when more may be written; rejects when the client has disconnected. */
  drained(): Promise<void>;
  /** Bytes queued and not yet accepted by the kernel. */
  readonly queuedBytes: number;
  end(): void;
  /** Ends abruptly, so that the client notices a truncated response. */
  abort(): void;
  readonly closed: boolean;
}

export class BodyTooLargeError extends BinnacleError {
  override name = 'BodyTooLargeError';
  readonly code = 'ERR_BINNACLE_BODY_TOO_LARGE';
  constructor(readonly limit: number) {
    super(`request body is larger than ${limit} bytes`);
  }
}
/** The memory limit for request bodies is exceeded. */
export class BodyRefusedError extends BinnacleError {
  override name = 'BodyRefusedError';
  readonly code = 'ERR_BINNACLE_BODY_REFUSED';
}
export class BodyAbortedError extends BinnacleError {
  override name = 'BodyAbortedError';
  readonly code = 'ERR_BINNACLE_BODY_ABORTED';
}
export class BodyMalformedError extends BinnacleError {
  override name = 'BodyMalformedError';
  readonly code = 'ERR_BINNACLE_BODY_MALFORMED';
}

export type ExchangeHandler = (exchange: Exchange) => void;

/** The target as the client sent it. */
export const sentTarget = ({ pathPrefix = '', target }: Pick<Exchange, 'pathPrefix' | 'target'>): string =>
  pathPrefix + target;
