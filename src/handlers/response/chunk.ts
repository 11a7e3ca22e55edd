const FIRST_BYTES = 8 * 1024;
/** Older memory is not used again. */
const MOST_TAKEN = 4;

/** A buffer that joins the parts of a long body; it grows up to the size of one chunk. */
export class Chunk {
  #memory = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #length = 0;
  /** Whether the caller has the memory. */
  #isTaken = false;
  /** Memory that the caller may use, in the order in which it was taken. */
  #taken: { readonly memory: Buffer<ArrayBuffer>; readonly length: number }[] = [];
  /** Memory that nobody uses. */
  #free: Buffer<ArrayBuffer>[] = [];

  get length(): number {
    return this.#length;
  }

  add(part: Uint8Array): void {
    if (this.#isTaken) this.#renew();
    const end = this.#length + part.length;
    if (end > this.#memory.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(end, 2 * this.#memory.length));
      this.#memory.copy(larger, 0, 0, this.#length);
      this.#memory = larger;
    }
    this.#memory.set(part, this.#length);
    this.#length = end;
  }

  /**
   * Returns the bytes added since the last call. Memory is used again where the caller says so, because much memory
   * outside of the heap makes V8 collect garbage.
   * @param usedBytes how many of the bytes that were taken before, the last ones, are still in use; by default all
   */
  take(usedBytes = Number.POSITIVE_INFINITY): Buffer {
    if (this.#length === 0) return Buffer.alloc(0);
    const bytes = this.#memory.subarray(0, this.#length);
    this.#reclaim(usedBytes);
    this.#taken.push({ memory: this.#memory, length: this.#length });
    if (this.#taken.length > MOST_TAKEN) this.#taken.shift();
    this.#isTaken = true;
    this.#length = 0;
    return bytes;
  }

  #reclaim(usedBytes: number): void {
    let newer = 0;
    let first = this.#taken.length;
    while (first > 0 && newer < usedBytes) {
      first -= 1;
      newer += this.#taken[first]!.length;
    }
    for (const { memory } of this.#taken.splice(0, first))
      if (memory.length === this.#memory.length) this.#free.push(memory);
  }

  #renew(): void {
    const { length } = this.#memory;
    const free = this.#free.pop();
    this.#memory = free?.length === length ? free : Buffer.allocUnsafeSlow(length);
    this.#isTaken = false;
  }
}
