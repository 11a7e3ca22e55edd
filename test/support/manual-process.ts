import type { ProcessClock } from '../../src/time/clock.ts';

/** The clock of a process whose time passes with {@link pass}. Its wall clock may be set; turns are the event loop's. */
export class ManualProcess implements ProcessClock {
  wall: number;
  /** The waits of all timers that were created. */
  readonly waits: number[] = [];
  #monotonic = 12.25;
  #timers: { readonly at: number; readonly callback: () => void }[] = [];

  constructor(wall = Date.parse('2026-01-01T00:00:00Z')) {
    this.wall = wall;
  }

  get timers(): number {
    return this.#timers.length;
  }

  readonly now: ProcessClock['now'] = () => this.wall;
  readonly monotonic: ProcessClock['monotonic'] = () => this.#monotonic;
  readonly soon: ProcessClock['soon'] = (callback) => void setImmediate(callback);

  readonly after: ProcessClock['after'] = (milliseconds, callback) => {
    const timer = { at: this.#monotonic + milliseconds, callback };
    this.waits.push(milliseconds);
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  };

  readonly every: ProcessClock['every'] = (milliseconds, callback) => {
    const run = (): void => {
      cancel = this.after(milliseconds, run);
      callback();
    };
    let cancel = this.after(milliseconds, run);
    return () => cancel();
  };

  /** Lets time pass, and fires the timers of the process in their order. */
  pass(milliseconds: number): void {
    const end = this.#monotonic + milliseconds;
    for (;;) {
      const [next] = this.#timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
      if (next === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#passUntil(Math.max(next.at, this.#monotonic));
      next.callback();
    }
    this.#passUntil(end);
  }

  #passUntil(time: number): void {
    this.wall += time - this.#monotonic;
    this.#monotonic = time;
  }
}
