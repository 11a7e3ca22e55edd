interface Entry<Value> {
  readonly value: Value;
  readonly until: number;
  /** Whether it was read since it was stored or last spared from eviction. */
  used: boolean;
}

export interface TtlCacheOptions {
  /** Maximum number of entries, at least 1. */
  readonly capacity: number;
  /** Monotonic clock, milliseconds. */
  readonly now: () => number;
}

/**
 * A cache whose entries have a time to live and a bound on their number. At the bound, a new key evicts the
 * oldest entry that was not read since it was stored; entries that were read are spared once and become the
 * newest. A hit only marks the entry, so that it costs no more than a lookup. Expired entries count until
 * they are read or evicted.
 */
export class TtlCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #capacity: number;
  readonly #now: () => number;

  constructor({ capacity, now }: TtlCacheOptions) {
    this.#capacity = capacity;
    this.#now = now;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Returns the entry of a key, or undefined if there is none or it has expired. */
  get(key: string): { readonly value: Value } | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (this.#now() < entry.until) {
      entry.used = true;
      return entry;
    }
    this.#entries.delete(key);
    return undefined;
  }

  /** Replaces the entry of a key. @param milliseconds time to live; 0 or less only removes the old entry */
  set(key: string, value: Value, milliseconds: number): void {
    this.#entries.delete(key);
    if (milliseconds <= 0) return;
    if (this.#entries.size >= this.#capacity) this.#evict();
    this.#entries.set(key, { value, until: this.#now() + milliseconds, used: false });
  }

  clear(): void {
    this.#entries.clear();
  }

  #evict(): void {
    // A spared entry moves to the end without its mark, so that the loop ends after one round.
    for (const [key, entry] of this.#entries) {
      this.#entries.delete(key);
      if (!entry.used) return;
      entry.used = false;
      this.#entries.set(key, entry);
    }
  }
}
