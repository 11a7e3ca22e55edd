import type { Http2Stream } from '../http2/stream.ts';
import type { BodyWriter } from './exchange.ts';
import { exceedsBounds, highWaterOf, type QueueAccount } from './queue-account.ts';
import { clientDisconnected, WaitingProducers } from './waiting-producers.ts';

/** Writes a response body to an HTTP/2 stream, which queues chunks by reference. */
export class Http2BodyWriter implements BodyWriter {
  readonly copiesChunks = true;
  writtenBytes = 0;
  readonly #stream: Http2Stream;
  readonly #account: QueueAccount;
  readonly #abortStream: () => void;
  readonly #producers = new WaitingProducers();

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
    const queued = stream.queuedBytes;
    if (exceedsBounds(this.#account, queued, chunk.length)) {
      this.#account.onOverflow();
      this.#abortStream();
      return false;
    }
    this.writtenBytes += chunk.length;
    stream.write(chunk);
    return queued + chunk.length < highWaterOf(this.#account);
  }

  drained(): Promise<void> {
    if (this.closed) return Promise.reject(clientDisconnected());
    if (this.queuedBytes < highWaterOf(this.#account)) return Promise.resolve();
    return this.#producers.wait();
  }

  end(): void {
    this.#stream.end();
  }

  abort(): void {
    if (!this.closed) this.#abortStream();
  }

  /** Wakes waiting producers when the queue is short enough. */
  onSent(): void {
    if (!this.#producers.isEmpty && this.queuedBytes < highWaterOf(this.#account)) this.#producers.resume();
  }

  detach(): void {
    this.#producers.disconnect();
  }
}
