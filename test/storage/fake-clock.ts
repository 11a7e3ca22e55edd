import type { ProcessClock } from '../../src/time/clock.ts';

/** A clock that advances only with `advance`, which runs timers in the order of their deadlines. */
export class FakeClock implements ProcessClock {
  #now: number;
  #timers: { at: number; callback: () => void }[] = [];

  constructor(now = 1_800_000_000_000) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer = { at: this.#now + milliseconds, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  every(milliseconds: number, callback: () => void): () => void {
    const run = () => {
      cancel = this.after(milliseconds, run);
      callback();
    };
    let cancel = this.after(milliseconds, run);
    return () => cancel();
  }

  soon(callback: () => void): void {
    this.after(0, callback);
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
