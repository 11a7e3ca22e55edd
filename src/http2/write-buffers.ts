import { BYTES_PER_TURN } from './limits.ts';
import { FRAME_BYTES } from './protocol.ts';

/** Smaller buffers are not worth keeping. */
const SMALLEST = 2 * 1024;
const SMALL = 64 * 1024;
/** A full turn: its last frame may begin just below the bound; the rest is for heads and control frames. */
const LARGE = BYTES_PER_TURN + 2 * FRAME_BYTES;

/** A buffer of no pool: pooled ones are recognized by their size. */
const unpooled = (bytes: number): Buffer =>
  Buffer.allocUnsafeSlow(bytes === SMALL || bytes === LARGE ? bytes + 1 : bytes);

/** Buffers of one size. */
class Pool {
  readonly #free: Buffer[] = [];
  #created = 0;

  /** @param most buffers that may be in use or kept; a client that does not read holds one until it is disconnected */
  constructor(
    readonly size: number,
    private readonly most: number,
  ) {}

  /** A buffer of the size of the pool; an unpooled one when all are in use. */
  take(bytes: number): Buffer {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#created === this.most) return unpooled(bytes);
    this.#created += 1;
    return Buffer.allocUnsafeSlow(this.size);
  }

  release(buffer: Buffer): void {
    this.#free.push(buffer);
  }

  drop(): void {
    this.#created -= 1;
  }
}

/**
 * Buffers for socket writes. A write owns its buffer until the socket has called back; then it is used again:
 * allocating one costs more than filling it, and memory outside of the heap makes V8 collect garbage.
 */
export class WriteBuffers {
  readonly #small = new Pool(SMALL, 64);
  readonly #large = new Pool(LARGE, 16);

  /** A buffer of at least this size. */
  take(bytes: number): Buffer {
    if (bytes < SMALLEST) return Buffer.allocUnsafe(bytes);
    if (bytes < SMALL) return this.#small.take(bytes);
    return bytes < LARGE ? this.#large.take(bytes) : unpooled(bytes);
  }

  /** The write of this buffer has succeeded. */
  release(buffer: Buffer): void {
    this.#poolOf(buffer)?.release(buffer);
  }

  /** The write has failed, and the buffer may still be in use. */
  drop(buffer: Buffer): void {
    this.#poolOf(buffer)?.drop();
  }

  #poolOf({ length }: Buffer): Pool | undefined {
    if (length === SMALL) return this.#small;
    return length === LARGE ? this.#large : undefined;
  }
}
