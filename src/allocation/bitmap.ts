/** A set of the numbers 0 … size-1, in the form in which kube-apiserver stores allocations. */
export class Bitmap {
  readonly #bits: Uint8Array;
  #count = 0;

  constructor(readonly size: number) {
    this.#bits = new Uint8Array((size + 7) >> 3);
  }

  /** Reads the bytes of {@link toBytes}; bits from `size` on are ignored. */
  static fromBytes(size: number, bytes: Uint8Array): Bitmap {
    const bitmap = new Bitmap(size);
    const bits = bitmap.#bits;
    bits.set(bytes.slice(-bits.length).reverse());
    if (size % 8 > 0) bits[bits.length - 1]! &= (1 << (size % 8)) - 1;
    for (const byte of bits) for (let rest = byte; rest > 0; rest &= rest - 1) bitmap.#count += 1;
    return bitmap;
  }

  clone(): Bitmap {
    const copy = new Bitmap(this.size);
    copy.#bits.set(this.#bits);
    copy.#count = this.#count;
    return copy;
  }

  equals(other: Bitmap): boolean {
    return Buffer.compare(this.#bits, other.#bits) === 0;
  }

  /** The bits as a big-endian number without leading zero bytes, as Go's `big.Int` writes them. */
  toBytes(): Uint8Array {
    let length = this.#bits.length;
    while (length > 0 && this.#bits[length - 1] === 0) length -= 1;
    return this.#bits.slice(0, length).reverse();
  }

  get count(): number {
    return this.#count;
  }

  has(number: number): boolean {
    return (this.#bits[number >> 3]! & (1 << (number & 7))) !== 0;
  }

  add(number: number): void {
    if (this.has(number)) return;
    this.#bits[number >> 3]! |= 1 << (number & 7);
    this.#count += 1;
  }

  delete(number: number): void {
    if (!this.has(number)) return;
    this.#bits[number >> 3]! &= ~(1 << (number & 7));
    this.#count -= 1;
  }

  *[Symbol.iterator](): Generator<number, void> {
    for (let index = 0; index < this.#bits.length; index += 1) {
      const byte = this.#bits[index]!;
      if (byte === 0) continue;
      for (let bit = 0; bit < 8; bit += 1) if ((byte & (1 << bit)) !== 0) yield index * 8 + bit;
    }
  }
}
