import { Duplex } from 'node:stream';
import type { StreamHeaders } from './header-blocks.ts';

/** What a stream needs of its connection. */
export interface StreamHost {
  /** Calls back when the bytes were passed to the system. */
  sendData(stream: number, bytes: Buffer, done: (error?: Error | null) => void): void;
  sendEnd(stream: number, done: (error?: Error | null) => void): void;
  /** @param isReset one direction had not ended */
  streamClosed(stream: number, isReset: boolean): void;
}

/** Bytes of one direction of a stream that wait for their reader. */
const HIGH_WATER = 64 * 1024;

/** One stream of a SPDY connection. */
export class SpdyStream extends Duplex {
  readonly id: number;
  readonly headers: StreamHeaders;
  readonly #host: StreamHost;
  #resumed: (() => void) | undefined;
  #hasReceivedEnd = false;
  #hasSentEnd = false;
  #isReset = false;

  constructor(id: number, headers: StreamHeaders, host: StreamHost) {
    super({ allowHalfOpen: true, highWaterMark: HIGH_WATER });
    this.id = id;
    this.headers = headers;
    this.#host = host;
    // Who reads or writes learns of a failure; nobody else has to.
    this.on('error', () => undefined);
  }

  /** Bytes have arrived. @returns a promise when no more should be read until it is resolved */
  receive(bytes: Buffer): void | Promise<void> {
    if (this.destroyed || this.#hasReceivedEnd || bytes.length === 0 || this.push(bytes)) return;
    return new Promise((resolve) => {
      this.#resumed = resolve;
    });
  }

  /** The peer sends nothing more. */
  receiveEnd(): void {
    if (this.#hasReceivedEnd) return;
    this.#hasReceivedEnd = true;
    if (!this.destroyed) this.push(null);
  }

  /** The peer has reset the stream, or the connection has ended: what has arrived can still be read. */
  receiveReset(): void {
    if (this.#isReset) return;
    this.#isReset = true;
    this.receiveEnd();
    if (!this.destroyed) this.end();
  }

  override _read(): void {
    this.#resume();
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.#isReset) done();
    else this.#host.sendData(this.id, chunk, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#hasSentEnd = true;
    if (this.#isReset) done();
    else this.#host.sendEnd(this.id, done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#resume();
    this.#host.streamClosed(this.id, !this.#isReset && !(this.#hasReceivedEnd && this.#hasSentEnd));
    done(error);
  }

  #resume(): void {
    const resumed = this.#resumed;
    this.#resumed = undefined;
    resumed?.();
  }
}
