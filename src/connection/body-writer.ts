import type { Writable } from 'node:stream';
import { BodyAbortedError, type BodyWriter } from './exchange.ts';
import {
  answerExceedsBounds,
  exceedsBounds,
  highWaterOf,
  type MutableQueueAccount,
} from './queue-account.ts';
import { clientDisconnected, WaitingProducers } from './waiting-producers.ts';

/** Larger chunks are written in pieces, so that the progress of a slow peer is observable. */
const PIECE = 256 * 1024;

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
  readonly #producers = new WaitingProducers();
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
    const queued = this.queuedBytes;
    if (exceedsBounds(this.#account, queued, chunk.length)) {
      this.#overflow();
      return false;
    }
    this.#enqueue(chunk);
    return queued + chunk.length < highWaterOf(this.#account);
  }

  /** Writes a complete response and ends it. */
  writeAll(body: Uint8Array): void {
    if (answerExceedsBounds(this.#account, body.length)) {
      this.#overflow();
      return;
    }
    this.#enqueue(body);
    this.end();
  }

  drained(): Promise<void> {
    if (this.#closed) return Promise.reject(clientDisconnected());
    if (this.queuedBytes < highWaterOf(this.#account)) return Promise.resolve();
    return this.#producers.wait();
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
    this.#producers.disconnect();
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
    if (!this.#producers.isEmpty && this.queuedBytes < highWaterOf(this.#account)) this.#producers.resume();
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
