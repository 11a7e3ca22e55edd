const SIZE = 64 * 1024;
/** Smaller buffers are not worth keeping. */
const SMALLEST = 2 * 1024;
/** Buffers that may be in use or kept; a client that does not read holds one until it is disconnected. */
const MOST = 64;

/**
 * Buffers for socket writes. A write owns its buffer until the socket has called back; then it is used again,
 * because allocating one costs more than filling it.
 */
export class WriteBuffers {
  readonly #free: Buffer[] = [];
  #created = 0;

  /** A buffer of at least this size. */
  take(bytes: number): Buffer {
    if (bytes < SMALLEST) return Buffer.allocUnsafe(bytes);
    if (bytes >= SIZE) return Buffer.allocUnsafeSlow(Math.max(bytes, SIZE + 1));
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#created === MOST) return Buffer.allocUnsafeSlow(bytes);
    this.#created += 1;
    return Buffer.allocUnsafeSlow(SIZE);
  }

  /** The write of this buffer has succeeded. */
  release(buffer: Buffer): void {
    if (buffer.length === SIZE && this.#free.length < MOST) this.#free.push(buffer);
  }

  /** The write has failed, and the buffer may still be in use. */
  drop(buffer: Buffer): void {
    if (buffer.length === SIZE) this.#created -= 1;
  }
}
