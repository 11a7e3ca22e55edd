import type { Http2Stream } from '../http2/stream.ts';
import type { BodyWriter, Exchange } from './exchange.ts';
import { exceedsBounds, highWaterOf, type QueueAccount } from './queue-account.ts';
import { clientDisconnected, WaitingProducers } from './waiting-producers.ts';

/** Writes a response body to an HTTP/2 stream, which queues chunks by reference. */
export class Http2BodyWriter implements BodyWriter {
  writtenBytes = 0;
  readonly #stream: Http2Stream;
  readonly #account: QueueAccount;
  readonly #exchange: Pick<Exchange, 'abort'>;
  readonly #producers = new WaitingProducers();

  constructor(stream: Http2Stream, account: QueueAccount, exchange: Pick<Exchange, 'abort'>) {
    this.#stream = stream;
    this.#account = account;
    this.#exchange = exchange;
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
    if (!this.#admit(chunk.length)) return false;
    this.#stream.write(chunk);
    return this.queuedBytes < highWaterOf(this.#account);
  }

  writeParts(parts: readonly Uint8Array[]): boolean {
    if (!this.#admit(parts.reduce((sum, { length }) => sum + length, 0))) return false;
    this.#stream.writeParts(parts);
    return this.queuedBytes < highWaterOf(this.#account);
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
    if (!this.closed) this.#exchange.abort();
  }

  /** Wakes waiting producers when the queue is short enough. */
  onSent(): void {
    if (!this.#producers.isEmpty && this.queuedBytes < highWaterOf(this.#account)) this.#producers.resume();
  }

  detach(): void {
    this.#producers.disconnect();
  }

  /** Counts bytes to be written; false if they are dropped. */
  #admit(bytes: number): boolean {
    const stream = this.#stream;
    if (stream.isClosed || stream.isEnding) return false;
    if (exceedsBounds(this.#account, stream.queuedBytes, bytes)) {
      this.#account.onOverflow();
      this.#exchange.abort();
      return false;
    }
    this.writtenBytes += bytes;
    return true;
  }
}
