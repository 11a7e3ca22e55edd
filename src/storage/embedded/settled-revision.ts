const ageMilliseconds = 5000;

/**
 * A revision that was the newest some seconds ago, for those who must not take away what clients have only
 * just seen.
 */
export class DurableRevision {
  #older = 0;
  #newer = 0;
  #notedAt = Number.POSITIVE_INFINITY;

  /** The newest revision that is at least 5 s old, as far as was noted; 0 when nothing is known to be. */
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
