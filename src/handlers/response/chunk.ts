const FIRST_BYTES = 8 * 1024;

/** A buffer that joins the parts of a long body; it grows up to the size of one chunk. */
export class Chunk {
  #memory = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(part: Uint8Array): void {
    const end = this.#length + part.length;
    if (end > this.#memory.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(end, 2 * this.#memory.length));
      this.#memory.copy(larger, 0, 0, this.#length);
      this.#memory = larger;
    }
    this.#memory.set(part, this.#length);
    this.#length = end;
  }

  /** Returns the bytes added since the last call; the caller owns them. */
  take(): Buffer {
    const taken = this.#memory.subarray(0, this.#length);
    this.#memory = Buffer.allocUnsafeSlow(this.#memory.length);
    this.#length = 0;
    return taken;
  }
}
