const ageMilliseconds = 5000;

/**
 * A revision that was the newest some seconds ago: compaction up to it keeps the history that clients have
 * just seen.
 */
export class SettledRevision {
  #older = 0;
  #newer = 0;
  #recordedAt = Number.POSITIVE_INFINITY;

  /** The newest recorded revision that is at least 5 s old, or 0. */
  get revision(): number {
    return this.#older;
  }

  record(now: number, revision: number): void {
    if (Math.abs(now - this.#recordedAt) < ageMilliseconds) return;
    this.#older = this.#newer;
    this.#newer = revision;
    this.#recordedAt = now;
  }
}
