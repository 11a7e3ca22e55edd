/**
 * Tells changes of others from own writes of the same objects: what this server writes is noticed before the promise of
 * the write resolves, so that as many changes as own writes are noticed while a key is reconciled, unless somebody else
 * has written too.
 */
export class ForeignChanges {
  /** Changes that were noticed beyond own writes, of the keys that are being reconciled. */
  readonly #open = new Map<string, number>();

  /** An object of a key has changed. @returns whether nobody is to be told of it now: {@link follow} does */
  noticed(key: string): boolean {
    const count = this.#open.get(key);
    if (count === undefined) return false;
    this.#open.set(key, count + 1);
    return true;
  }

  /** An own write for a key that is being reconciled has succeeded. */
  written(key: string): void {
    this.#open.set(key, (this.#open.get(key) ?? 0) - 1);
  }

  /**
   * Reconciles a key.
   * @param changed called if others have changed objects of the key meanwhile
   */
  async follow<Result>(key: string, reconcile: () => Promise<Result>, changed: () => void): Promise<Result> {
    this.#open.set(key, 0);
    try {
      return await reconcile();
    } finally {
      const count = this.#open.get(key);
      this.#open.delete(key);
      if (count !== 0) changed();
    }
  }
}
