import { Duplex } from 'node:stream';

/** One end of a connection inside the process. */
class PairedStream extends Duplex {
  #peer: PairedStream | undefined;
  /** Continues the writes of the peer. */
  #taken: ((error?: Error | null) => void) | undefined;
  #hasEnded = false;

  constructor() {
    super({ allowHalfOpen: false });
  }

  static connect(): [Duplex, Duplex] {
    const near = new PairedStream();
    const far = new PairedStream();
    near.#peer = far;
    far.#peer = near;
    return [near, far];
  }

  /** HTTP clients ask it of a socket; nothing is lost inside the process, so that there is nothing to time. */
  setTimeout(): this {
    return this;
  }

  override _read(): void {
    const taken = this.#taken;
    this.#taken = undefined;
    taken?.();
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    const peer = this.#peer!;
    if (peer.destroyed) done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' }));
    else if (peer.push(chunk)) done();
    else peer.#taken = done;
  }

  override _final(done: () => void): void {
    this.#peer!.#receiveEnd();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this._read();
    this.#peer!.#receiveEnd();
    done(error);
  }

  #receiveEnd(): void {
    if (this.#hasEnded || this.destroyed) return;
    this.#hasEnded = true;
    this.push(null);
  }
}

/**
 * A connection inside the process, as its two ends. What one writes the other reads, with back-pressure. When one is
 * destroyed, the other reads what it was sent, and then the end.
 */
export const streamPair = (): [Duplex, Duplex] => PairedStream.connect();
