import type { ObjectIndex } from './object-source.ts';
import type { ReadObject } from './read-object.ts';

/** Finds the objects of a reader by something that they contain. */
export class ReaderIndex {
  readonly #keysOf: ObjectIndex<ReadObject>;
  /** Cache keys of objects by index key. */
  readonly #found = new Map<string, Set<string>>();
  /** Index keys by cache key. */
  readonly #keys = new Map<string, readonly string[]>();

  constructor(keysOf: ObjectIndex<ReadObject>) {
    this.#keysOf = keysOf;
  }

  /** Cache keys of the objects under a key. */
  get(key: string): Iterable<string> {
    return this.#found.get(key) ?? [];
  }

  /** An object that cannot be decoded is not found. */
  put(cacheKey: string, object: ReadObject): void {
    this.delete(cacheKey);
    const keys = this.#read(object);
    if (keys.length === 0) return;
    this.#keys.set(cacheKey, keys);
    for (const key of keys) {
      const found = this.#found.get(key);
      if (found === undefined) this.#found.set(key, new Set([cacheKey]));
      else found.add(cacheKey);
    }
  }

  delete(cacheKey: string): void {
    for (const key of this.#keys.get(cacheKey) ?? []) {
      const found = this.#found.get(key);
      if (found?.delete(cacheKey) === true && found.size === 0) this.#found.delete(key);
    }
    this.#keys.delete(cacheKey);
  }

  clear(): void {
    this.#found.clear();
    this.#keys.clear();
  }

  #read(object: ReadObject): readonly string[] {
    try {
      return this.#keysOf(object);
    } catch {
      return [];
    }
  }
}
