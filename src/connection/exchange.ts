import type { Duplex } from 'node:stream';
import type { PeerCertificate } from 'node:tls';

/**
 * One request and its answer, the same shape for HTTP/1.1, HTTP/2 and the in-process client.
 * Everything above the connection works on this; nothing above it knows the protocol.
 */
export interface Exchange {
  /** Upper case. */
  readonly method: string;
  /** Path and query as sent, percent-encoded. */
  readonly target: string;
  readonly protocol: 'HTTP/1.1' | 'HTTP/2.0' | 'in-process';
  /** Host header or :authority. */
  readonly host: string;
  readonly remoteAddress: string;
  /** Value of a request header by lower-case name; repeated headers are joined with `, `. */
  header(name: string): string | undefined;
  /** All values of a request header that may repeat (impersonation). */
  headerValues(name: string): readonly string[];
  /** Every request header as [lower-case name, value] pairs, for proxies and audit. */
  headers(): Iterable<readonly [string, string]>;
  /** The client's certificate chain, leaf first; undefined when none was given. Not verified here. */
  readonly peerCertificates: readonly PeerCertificate[] | undefined;
  /**
   * Reads the whole body.
   * @param account what the body takes from while it is in memory, until the exchange has finished
   * @throws BodyTooLargeError above `limit` bytes, BodyRefusedError when the account gives no more,
   * BodyAbortedError when the client
   *   went away, BodyMalformedError on bad framing
   */
  readBody(limit: number, account?: BodyAccount): Promise<Buffer>;
  /** The raw body as chunks, for proxies. */
  bodyStream(): AsyncIterable<Uint8Array>;

  /** Whether status and headers have been sent. */
  readonly responded: boolean;
  /** Bytes of the answer's body handed over so far, as compressed and before framing. */
  readonly sentBytes: number;
  /** Aborted when the client goes away, or the answer is finished. */
  readonly signal: AbortSignal;
  /** True once the client has gone away; answers are dropped. */
  readonly closed: boolean;
  /**
   * Sets a header of the answer that is to come (Audit-Id, Warning, …); appended when `append` and it is set
   * already.
   */
  setHeader(name: string, value: string, append?: boolean): void;
  /**
   * Sends a complete answer; `status` is 200 to 599. The first answer wins: later ones, and those to a client
   * that is gone, are dropped.
   */
  respond(status: number, contentType: string | undefined, body: Uint8Array | string): void;
  /** Begins a streamed answer. */
  startStream(status: number, contentType: string, headers?: Readonly<Record<string, string>>): BodyWriter;
  /**
   * Takes the socket over after an upgrade request (WebSocket, exec); undefined where the protocol has none.
   */
  takeover(): { socket: Duplex; head: Buffer } | undefined;
  /** Ends the stream abruptly (nothing sensible can be said any more). */
  abort(): void;
  /**
   * Calls back once, when the answer has been sent or the client has gone away; at once when that is past.
   * Cheaper than {@link signal}.
   */
  onFinished(callback: () => void): void;
}

/** Room in memory for one request body. */
export interface BodyAccount {
  /** Takes room for bytes that have come; false when there is none. */
  reserve(bytes: number): boolean;
  /** Called when somebody else needs the room of a body that isn't complete. */
  onReclaimed: (() => void) | undefined;
  /** The body is complete: its room stays. */
  complete(): void;
  /** Gives the room back. May be called again. */
  release(): void;
}

/**
 * A streamed body with back-pressure. Queued bytes are bounded per stream and per connection; a peer stalled
 * past its deadline is closed.
 */
export interface BodyWriter {
  /**
   * Queues a chunk. Returns false when the caller should await {@link drained} before writing more: from 256
   * kB queued on this stream, from 64 kB where its connection has 8 MB queued on all streams. Chunks may be
   * shared, never changed.
   */
  write(chunk: Uint8Array): boolean;
  /** Resolves when more may be written; rejects when the client is gone. */
  drained(): Promise<void>;
  /** Bytes queued and not yet taken by the kernel. */
  readonly queuedBytes: number;
  end(): void;
  /** Ends abruptly, so that the client notices a truncated answer. */
  abort(): void;
  readonly closed: boolean;
}

export class BodyTooLargeError extends Error {
  override name = 'BodyTooLargeError';
  constructor(readonly limit: number) {
    super(`request body is larger than ${limit} bytes`);
  }
}
/** There is no room for the body at this time. */
export class BodyRefusedError extends Error {
  override name = 'BodyRefusedError';
}
export class BodyAbortedError extends Error {
  override name = 'BodyAbortedError';
}
export class BodyMalformedError extends Error {
  override name = 'BodyMalformedError';
}

export type ExchangeHandler = (exchange: Exchange) => void;
