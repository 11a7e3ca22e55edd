/** Objects that this server has removed, until the events of the removals have come; by cache key. */
export class OwnRemovals {
  /** Revisions of removals, the oldest first. */
  readonly #revisions = new Map<string, number>();

  /** Whether a version of an object was removed. */
  has(key: string, revision: number): boolean {
    return this.#revisions.size > 0 && (this.#revisions.get(key) ?? 0) >= revision;
  }

  add(key: string, revision: number): void {
    this.#revisions.delete(key);
    this.#revisions.set(key, revision);
  }

  /** All events until a revision have come. Concurrent removals are added in any order: some are dropped later. */
  reached(revision: number): void {
    for (const [key, removed] of this.#revisions) {
      if (removed > revision) return;
      this.#revisions.delete(key);
    }
  }

  clear(): void {
    this.#revisions.clear();
  }
}
