const FIRST_BYTES = 8 * 1024;

/** A buffer that joins the parts of a long body; it grows up to the size of one chunk. */
export class Chunk {
  #memory = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #length = 0;
  /** Whether the caller has the memory. */
  #isTaken = false;
  /** That of the bytes taken last. */
  #earlier: Buffer<ArrayBuffer> | undefined;
  /** Memory that nobody uses. */
  #free: Buffer<ArrayBuffer> | undefined;

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
   * Returns the bytes added since the last call.
   * @param isEarlierUnused whether nobody uses the bytes that the last call returned: their memory is used again,
   * because much memory outside of the heap makes V8 collect garbage
   */
  take(isEarlierUnused = false): Buffer {
    const taken = this.#memory.subarray(0, this.#length);
    if (!isEarlierUnused) this.#earlier = undefined;
    this.#free = this.#earlier;
    this.#earlier = this.#memory;
    this.#isTaken = true;
    this.#length = 0;
    return taken;
  }

  #renew(): void {
    const { length } = this.#memory;
    this.#memory = this.#free?.length === length ? this.#free : Buffer.allocUnsafeSlow(length);
    this.#free = undefined;
    this.#isTaken = false;
  }
}
