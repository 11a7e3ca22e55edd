import type { ClusterClock } from '../../time/clock.ts';

/** One timer for the earliest of several times of the cluster. */
export class QueueTimer {
  readonly #clock: Pick<ClusterClock, 'now' | 'after'>;
  readonly #fire: () => void;
  #due = Number.POSITIVE_INFINITY;
  #cancel: (() => void) | undefined;

  constructor(clock: Pick<ClusterClock, 'now' | 'after'>, fire: () => void) {
    this.#clock = clock;
    this.#fire = fire;
  }

  /** Sets the time: infinity for none. It may fire too early, after which the time is to be set again. */
  set(time: number): void {
    if (time === Number.POSITIVE_INFINITY) this.stop();
    if (time >= this.#due) return;
    this.stop();
    this.#due = time;
    this.#cancel = this.#clock.after(Math.max(0, time - this.#clock.now()), () => {
      this.#cancel = undefined;
      this.#due = Number.POSITIVE_INFINITY;
      this.#fire();
    });
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#due = Number.POSITIVE_INFINITY;
  }
}
