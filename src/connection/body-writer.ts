import type { Writable } from 'node:stream';
import { BodyAbortedError, type BodyWriter } from './exchange.ts';
import type { ConnectionLimits } from './limits.ts';

/** Queued bytes of a stream at which producers must wait. */
export const HIGH_WATER = 256 * 1024;
/**
 * The same on a connection with a long queue: many watches of a client that does not read must not use the
 * full limit each. It is above the high-water mark of a Node stream, so that a waiting producer is always
 * woken by 'drain'.
 */
export const CROWDED_HIGH_WATER = 64 * 1024;
/** Queued bytes of a connection that make its queue long. */
export const CROWDED = 8 * 1024 * 1024;
/** Larger chunks are written in pieces, so that the progress of a slow peer is observable. */
const PIECE = 256 * 1024;

/** The queued bytes of all streams of a connection. */
export interface QueueAccount {
  readonly queuedBytes: number;
  readonly limits: ConnectionLimits;
  /** Called when a stream is aborted because it exceeds the bounds. */
  onOverflow(): void;
}

/** An account into which writers add what they queue. */
export interface MutableQueueAccount extends QueueAccount {
  queuedBytes: number;
}

type Waiter = { resolve: () => void; reject: (error: Error) => void };

/**
 * Writes a body into a Node stream (an HTTP/1.1 response) without copying. Bytes that the
 * stream has not accepted are queued here in pieces; the caller's `abortStream` ends the exchange.
 */
export class StreamBodyWriter implements BodyWriter {
  #pieces: Uint8Array[] = [];
  #nextPiece = 0;
  #pieceBytes = 0;
  #accounted = 0;
  #written = 0;
  #ending = false;
  #closed = false;
  #waiters: Waiter[] = [];
  readonly #stream: Writable;
  readonly #account: MutableQueueAccount;
  readonly #abortStream: () => void;

  /**
   * @param abortStream ends the exchange so that the client sees a truncated response; must lead to
   * {@link detach}
   */
  constructor(stream: Writable, account: MutableQueueAccount, abortStream: () => void) {
    this.#stream = stream;
    this.#account = account;
    this.#abortStream = abortStream;
    stream.on('drain', this.#onDrain);
  }

  get closed(): boolean {
    return this.#closed;
  }

  get queuedBytes(): number {
    return this.#closed ? 0 : this.#pieceBytes + this.#stream.writableLength;
  }

  /** Bytes written to this writer, sent or queued. */
  get writtenBytes(): number {
    return this.#written;
  }

  /** Bytes accepted by the peer's side so far; constant while the peer stalls. */
  get takenBytes(): number {
    return this.#written - this.queuedBytes;
  }

  write(chunk: Uint8Array): boolean {
    if (this.#closed || this.#ending) return false;
    const limits = this.#account.limits;
    const queued = this.queuedBytes;
    if (
      queued > limits.queuedBytesPerStream ||
      (queued > 0 && this.#account.queuedBytes + chunk.length > limits.queuedBytesPerConnection)
    ) {
      this.#overflow();
      return false;
    }
    this.#enqueue(chunk);
    return queued + chunk.length < this.#highWater;
  }

  /**
   * Writes a complete response and ends it. Only the connection's bound applies, and not to a response that
   * is alone on it.
   */
  writeAll(body: Uint8Array): void {
    if (
      this.#account.queuedBytes > 0 &&
      this.#account.queuedBytes + body.length > this.#account.limits.queuedBytesPerConnection
    ) {
      this.#overflow();
      return;
    }
    this.#enqueue(body);
    this.end();
  }

  drained(): Promise<void> {
    if (this.#closed) return Promise.reject(new BodyAbortedError('the client disconnected'));
    if (this.queuedBytes < this.#highWater) return Promise.resolve();
    return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }));
  }

  end(): void {
    if (this.#closed || this.#ending) return;
    this.#ending = true;
    if (this.#pieceBytes === 0) this.#stream.end();
  }

  abort(): void {
    if (!this.#closed) this.#abortStream();
  }

  /** Called by the exchange when the stream has ended: drops the queue and rejects waiting producers. */
  detach(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#stream.off('drain', this.#onDrain);
    this.#pieces = [];
    this.#pieceBytes = 0;
    this.#settleAccount();
    const error = new BodyAbortedError('the client disconnected');
    for (const waiter of this.#waiters.splice(0)) waiter.reject(error);
  }

  get #highWater(): number {
    return this.#account.queuedBytes > CROWDED ? CROWDED_HIGH_WATER : HIGH_WATER;
  }

  #enqueue(chunk: Uint8Array): void {
    this.#written += chunk.length;
    if (this.#pieceBytes === 0 && chunk.length <= PIECE) this.#stream.write(chunk);
    else {
      for (let start = 0; start < chunk.length; start += PIECE)
        this.#pieces.push(chunk.length <= PIECE ? chunk : chunk.subarray(start, start + PIECE));
      this.#pieceBytes += chunk.length;
      if (!this.#stream.writableNeedDrain) this.#flush();
    }
    this.#settleAccount();
  }

  readonly #onDrain = (): void => {
    this.#flush();
    this.#settleAccount();
    if (this.#waiters.length > 0 && this.queuedBytes < this.#highWater)
      for (const waiter of this.#waiters.splice(0)) waiter.resolve();
  };

  /** Writes about one piece to the stream, which requests more with 'drain'. */
  #flush(): void {
    const stream = this.#stream;
    stream.cork();
    while (this.#nextPiece < this.#pieces.length && stream.writableLength < PIECE) {
      const piece = this.#pieces[this.#nextPiece++]!;
      this.#pieceBytes -= piece.length;
      stream.write(piece);
    }
    if (this.#nextPiece === this.#pieces.length) {
      this.#pieces = [];
      this.#nextPiece = 0;
    } else if (this.#nextPiece > 1024) {
      this.#pieces = this.#pieces.slice(this.#nextPiece);
      this.#nextPiece = 0;
    }
    stream.uncork();
    if (this.#ending && this.#pieceBytes === 0) stream.end();
  }

  #settleAccount(): void {
    const queued = this.queuedBytes;
    this.#account.queuedBytes += queued - this.#accounted;
    this.#accounted = queued;
  }

  #overflow(): void {
    this.#account.onOverflow();
    this.#abortStream();
  }
}

/** Writer for HEAD requests and disconnected clients: drops everything. */
export const closedBodyWriter: BodyWriter = {
  closed: true,
  queuedBytes: 0,
  write: () => false,
  drained: () => Promise.reject(new BodyAbortedError('the response has no body, or the client disconnected')),
  end: () => undefined,
  abort: () => undefined,
};
