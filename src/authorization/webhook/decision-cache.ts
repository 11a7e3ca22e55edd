import type { ReviewStatus } from './review.ts';

/** Decisions kept; the one that was used longest ago is forgotten for another. */
const CAPACITY = 8192;

/** Decisions of a webhook, each for its time. */
export class DecisionCache {
  readonly #now: () => number;
  readonly #entries = new Map<string, { readonly status: ReviewStatus; readonly until: number }>();

  /** @param now monotonic milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  get(key: string): ReviewStatus | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (this.#now() >= entry.until) return undefined;
    this.#entries.set(key, entry);
    return entry.status;
  }

  set(key: string, status: ReviewStatus, milliseconds: number): void {
    if (milliseconds <= 0) return;
    this.#entries.delete(key);
    if (this.#entries.size >= CAPACITY) this.#entries.delete(this.#entries.keys().next().value!);
    this.#entries.set(key, { status, until: this.#now() + milliseconds });
  }
}
