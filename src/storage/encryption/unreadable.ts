/** Most keys that are remembered; above it, some are not read again until the store is. */
const MOST = 1000;

/** Keys whose values could not be decrypted. */
export class Unreadable {
  #keys = new Set<string>();

  add(key: string): void {
    if (this.#keys.size < MOST) this.#keys.add(key);
  }

  /** Returns the keys and forgets them. */
  take(): Iterable<string> {
    const keys = this.#keys;
    this.#keys = new Set();
    return keys;
  }
}
