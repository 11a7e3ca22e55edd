/** Builds a long text of many short pieces: it takes two bytes for each character. */
export class TextBuilder {
  private units = new Uint16Array(256);
  private seen = 0;
  length = 0;

  /** Appends one UTF-16 code unit. */
  unit(unit: number): void {
    if (this.length === this.units.length) this.grow(1);
    this.units[this.length++] = unit;
    this.seen |= unit;
  }

  /** Appends a part of a text. */
  slice(text: string, from = 0, to = text.length): void {
    if (this.length + to - from > this.units.length) this.grow(to - from);
    const { units } = this;
    let { length, seen } = this;
    for (let at = from; at < to; at++) {
      const unit = text.charCodeAt(at);
      units[length++] = unit;
      seen |= unit;
    }
    this.length = length;
    this.seen = seen;
  }

  toString(): string {
    const written = this.units.subarray(0, this.length);
    if (this.seen <= 0xff) return Buffer.from(written).toString('latin1');
    return Buffer.from(written.buffer, 0, 2 * this.length).toString('utf16le');
  }

  private grow(more: number): void {
    const larger = new Uint16Array(Math.max(2 * this.units.length, this.length + more));
    larger.set(this.units.subarray(0, this.length));
    this.units = larger;
  }
}
