/** A cache with a bound on its entries: at the bound, a new key evicts the one that was set first. */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();

  /** @param capacity maximum number of entries, at least 1 */
  constructor(private readonly capacity: number) {}

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  /** The values in the order in which they were set. */
  values(): Iterable<Value> {
    return this.#entries.values();
  }

  /** Sets the value of a key, which becomes the newest one. */
  set(key: Key, value: Value): void {
    if (!this.#entries.delete(key) && this.#entries.size >= this.capacity)
      this.#entries.delete(this.#entries.keys().next().value!);
    this.#entries.set(key, value);
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}
