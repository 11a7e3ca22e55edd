const ageMilliseconds = 5000;

/**
 * A revision that was the newest some seconds ago: compaction up to it keeps the history that clients have
 * just seen.
 */
export class DurableRevision {
  #older = 0;
  #newer = 0;
  #notedAt = Number.POSITIVE_INFINITY;

  /** The newest recorded revision that is at least 5 s old, or 0. */
  get revision(): number {
    return this.#older;
  }

  note(now: number, revision: number): void {
    if (Math.abs(now - this.#notedAt) < ageMilliseconds) return;
    this.#older = this.#newer;
    this.#newer = revision;
    this.#notedAt = now;
  }
}
