import type { StorageClock } from '../../src/storage/clock.ts';

/** A clock that advances only with `advance`, which runs timers in the order of their deadlines. */
export class FakeClock implements StorageClock {
  #now: number;
  #timers: { at: number; callback: () => void }[] = [];

  constructor(now = 1_800_000_000_000) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  schedule(delay: number, callback: () => void): () => void {
    const timer = { at: this.#now + delay, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  advance(milliseconds: number): void {
    const target = this.#now + milliseconds;
    for (;;) {
      const due = this.#timers.filter((timer) => timer.at <= target).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.#timers = this.#timers.filter((timer) => timer !== due);
      this.#now = Math.max(this.#now, due.at);
      due.callback();
    }
    this.#now = target;
  }
}
