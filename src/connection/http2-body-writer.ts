import type { Http2Stream } from '../http2/stream.ts';
import { CROWDED, CROWDED_HIGH_WATER, HIGH_WATER, type QueueAccount } from './body-writer.ts';
import { BodyAbortedError, type BodyWriter } from './exchange.ts';

type Waiter = { resolve: () => void; reject: (error: Error) => void };

/** Writes a response body to an HTTP/2 stream, which queues chunks by reference. */
export class Http2BodyWriter implements BodyWriter {
  readonly copiesChunks = true;
  writtenBytes = 0;
  readonly #stream: Http2Stream;
  readonly #account: QueueAccount;
  readonly #abortStream: () => void;
  #waiters: Waiter[] | undefined;

  /** @param abortStream ends the exchange so that the client sees a truncated response */
  constructor(stream: Http2Stream, account: QueueAccount, abortStream: () => void) {
    this.#stream = stream;
    this.#account = account;
    this.#abortStream = abortStream;
  }

  get closed(): boolean {
    return this.#stream.isClosed;
  }

  get queuedBytes(): number {
    return this.#stream.queuedBytes;
  }

  get takenBytes(): number {
    return this.writtenBytes - this.#stream.queuedBytes;
  }

  write(chunk: Uint8Array): boolean {
    const stream = this.#stream;
    if (stream.isClosed || stream.isEnding) return false;
    const { limits, queuedBytes } = this.#account;
    const queued = stream.queuedBytes;
    if (
      queued > limits.queuedBytesPerStream ||
      (queued > 0 && queuedBytes + chunk.length > limits.queuedBytesPerConnection)
    ) {
      this.#account.onOverflow();
      this.#abortStream();
      return false;
    }
    this.writtenBytes += chunk.length;
    stream.write(chunk);
    return queued + chunk.length < this.#highWater;
  }

  drained(): Promise<void> {
    if (this.closed) return Promise.reject(new BodyAbortedError('the client disconnected'));
    if (this.queuedBytes < this.#highWater) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiters ??= [];
      this.#waiters.push({ resolve, reject });
    });
  }

  end(): void {
    this.#stream.end();
  }

  abort(): void {
    if (!this.closed) this.#abortStream();
  }

  /** Wakes waiting producers when the queue is short enough. */
  onSent(): void {
    if (this.#waiters === undefined || this.queuedBytes >= this.#highWater) return;
    const waiters = this.#waiters;
    this.#waiters = undefined;
    for (const waiter of waiters) waiter.resolve();
  }

  detach(): void {
    const waiters = this.#waiters;
    if (waiters === undefined) return;
    this.#waiters = undefined;
    const error = new BodyAbortedError('the client disconnected');
    for (const waiter of waiters) waiter.reject(error);
  }

  get #highWater(): number {
    return this.#account.queuedBytes > CROWDED ? CROWDED_HIGH_WATER : HIGH_WATER;
  }
}
