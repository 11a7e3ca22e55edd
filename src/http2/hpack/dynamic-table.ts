/** Size of an entry beside its name and value (RFC 7541, section 4.1). */
export const ENTRY_OVERHEAD = 32;
/** Room for entries at first; doubled when needed, so that an idle connection costs little. */
const FIRST_CAPACITY = 8;

/**
 * The dynamic table of one direction: header fields, the newest first, up to a size in bytes. Strings have one
 * character per byte.
 */
export class DynamicTable {
  /** Number of entries. */
  length = 0;
  #names: string[] = new Array(FIRST_CAPACITY).fill('');
  #values: string[] = new Array(FIRST_CAPACITY).fill('');
  /** The place of the next entry; the capacity is a power of two. */
  #head = 0;
  /** Sum of the entries' sizes. */
  #bytes = 0;
  #maximum: number;

  constructor(maximumBytes: number) {
    this.#maximum = maximumBytes;
  }

  /** Changes the maximum size in bytes, and evicts what exceeds it. */
  resize(maximumBytes: number): void {
    this.#maximum = maximumBytes;
    this.#evict(maximumBytes);
  }

  /** The name of an entry; 0 is the newest. */
  name(index: number): string {
    return this.#names[(this.#head - 1 - index) & (this.#names.length - 1)]!;
  }

  /** The value of an entry; 0 is the newest. */
  value(index: number): string {
    return this.#values[(this.#head - 1 - index) & (this.#names.length - 1)]!;
  }

  /** Adds an entry. One that is larger than the table empties it, which is not an error. */
  add(name: string, value: string): void {
    const size = name.length + value.length + ENTRY_OVERHEAD;
    this.#evict(this.#maximum - size);
    if (size > this.#maximum) return;
    if (this.length === this.#names.length) this.#grow();
    this.#names[this.#head] = name;
    this.#values[this.#head] = value;
    this.#head = (this.#head + 1) & (this.#names.length - 1);
    this.#bytes += size;
    this.length += 1;
  }

  /** The index of the newest entry with this name and value; -1 if there is none. */
  find(name: string, value: string): number {
    const mask = this.#names.length - 1;
    for (let index = 0; index < this.length; index += 1) {
      const place = (this.#head - 1 - index) & mask;
      if (this.#names[place] === name && this.#values[place] === value) return index;
    }
    return -1;
  }

  /** The index of the newest entry with this name; -1 if there is none. */
  findName(name: string): number {
    for (let index = 0; index < this.length; index += 1) if (this.name(index) === name) return index;
    return -1;
  }

  /** Evicts the oldest entries until the rest has at most `bytes`. */
  #evict(bytes: number): void {
    const mask = this.#names.length - 1;
    while (this.#bytes > bytes && this.length > 0) {
      const place = (this.#head - this.length) & mask;
      this.#bytes -= this.#names[place]!.length + this.#values[place]!.length + ENTRY_OVERHEAD;
      this.#names[place] = '';
      this.#values[place] = '';
      this.length -= 1;
    }
  }

  #grow(): void {
    const capacity = this.#names.length;
    const names: string[] = new Array(capacity * 2).fill('');
    const values: string[] = new Array(capacity * 2).fill('');
    for (let index = 0; index < this.length; index += 1) {
      const place = (this.#head - this.length + index) & (capacity - 1);
      names[index] = this.#names[place]!;
      values[index] = this.#values[place]!;
    }
    this.#names = names;
    this.#values = values;
    this.#head = this.length;
  }
}
