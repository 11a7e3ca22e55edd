import type { ReviewStatus } from './review.ts';

/** Maximum cached decisions; the least recently used one is evicted. */
const CAPACITY = 8192;

/** A cache of webhook decisions with a time to live per entry. */
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
