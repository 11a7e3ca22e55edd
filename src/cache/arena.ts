/** 1 MB: small values share one allocation, which costs no more than its bytes. */
const defaultSlabSize = 1 << 20;

/** Bytes kept in a {@link ByteArena}. Compaction may move them. */
export interface ArenaSlice {
  readonly length: number;
  /**
   * The bytes, without a copy. They never change, but a view that is kept keeps its whole slab in memory: copy to keep.
   * @throws RangeError when the slice was freed
   */
  view(): Uint8Array;
}

/** One allocation, filled from its beginning and never rewritten, so that views stay true. */
interface Slab {
  readonly buffer: Buffer;
  used: number;
  live: number;
  readonly slices: Slice[];
}

class Slice implements ArenaSlice {
  slab: Slab | undefined;
  offset = 0;
  /** Place in the slab's list, for removal in constant time. */
  index = 0;

  constructor(readonly length: number) {}

  view(): Uint8Array {
    if (!this.slab) throw new RangeError('the slice was freed');
    return this.slab.buffer.subarray(this.offset, this.offset + this.length);
  }
}

/**
 * Keeps many small byte strings at the cost of their bytes: values are copied into slabs one after another. A slab less
 * than half of which is live is emptied into the present one, so at most about twice the live bytes are held and each
 * byte freed costs at most one byte moved. Values larger than a quarter slab get an allocation of their own.
 */
export class ByteArena {
  #current: Slab | undefined;
  #held = 0;
  #live = 0;

  /** @param slabSize bytes of one slab */
  constructor(private readonly slabSize = defaultSlabSize) {}

  /** Bytes held: all slabs with something live in them. */
  get bytes(): number {
    return this.#held;
  }

  /** Bytes of the slices that are not freed. */
  get liveBytes(): number {
    return this.#live;
  }

  /** Copies `bytes` in. */
  store(bytes: Uint8Array): ArenaSlice {
    const slice = new Slice(bytes.length);
    this.#place(slice, bytes);
    this.#live += bytes.length;
    return slice;
  }

  /** @throws RangeError when the slice was freed before */
  free(slice: ArenaSlice): void {
    const own = slice as Slice;
    const { slab } = own;
    if (!slab) throw new RangeError('the slice was freed');
    this.#remove(own, slab);
    this.#live -= own.length;
    if (slab === this.#current || slab.live * 2 >= slab.used) return;
    for (let moved = slab.slices.at(-1); moved; moved = slab.slices.at(-1)) {
      const view = moved.view();
      this.#remove(moved, slab);
      this.#place(moved, view);
    }
    this.#held -= slab.buffer.length;
  }

  #place(slice: Slice, bytes: Uint8Array): void {
    const slab = this.#slabFor(bytes.length);
    slab.buffer.set(bytes, slab.used);
    slice.slab = slab;
    slice.offset = slab.used;
    slice.index = slab.slices.push(slice) - 1;
    slab.used += bytes.length;
    slab.live += bytes.length;
  }

  #remove(slice: Slice, slab: Slab): void {
    const last = slab.slices.pop()!;
    if (last !== slice) {
      slab.slices[slice.index] = last;
      last.index = slice.index;
    }
    slab.live -= slice.length;
    slice.slab = undefined;
  }

  #slabFor(length: number): Slab {
    if (length * 4 > this.slabSize) return this.#allocate(length);
    const current = this.#current;
    if (current && current.used + length <= current.buffer.length) return current;
    if (current && current.slices.length === 0) this.#held -= current.buffer.length;
    this.#current = this.#allocate(this.slabSize);
    return this.#current;
  }

  #allocate(size: number): Slab {
    this.#held += size;
    return { buffer: Buffer.allocUnsafeSlow(size), used: 0, live: 0, slices: [] };
  }
}
