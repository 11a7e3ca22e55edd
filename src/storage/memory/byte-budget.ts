/** Bytes that several stores in memory may take together. */
export class ByteBudget {
  readonly #limit: number;
  /** The stores that share the budget, for the error of a denied write. */
  readonly #owners: string;
  readonly #reclaims = new Set<() => void>();
  #used = 0;

  /** @param limit maximum bytes; the write that passes it is the last one */
  constructor(limit: number, owners: string) {
    this.#limit = limit;
    this.#owners = owners;
  }

  /** Counts bytes that a store takes; negative for those that it gives back. */
  count(bytes: number): void {
    this.#used += bytes;
  }

  /**
   * Adds a store.
   * @param reclaim gives up what the store need not keep; called when the bytes are used up
   * @returns a function that removes the store
   */
  join(reclaim: () => void): () => void {
    this.#reclaims.add(reclaim);
    return () => void this.#reclaims.delete(reclaim);
  }

  /** Why nothing may be added, and what to do; undefined if something may. All stores give up what they can first. */
  problem(): string | undefined {
    if (this.#used <= this.#limit) return undefined;
    for (const reclaim of this.#reclaims) reclaim();
    if (this.#used <= this.#limit) return undefined;
    return `${this.#owners} have ${this.#used} bytes of objects, above ${this.#limit}: delete objects or clusters, or reset clusters`;
  }
}
