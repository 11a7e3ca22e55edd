import { BoundedMap } from '../collections/bounded-map.ts';
import type { ProcessClock } from '../time/clock.ts';

/**
 * How often one key is processed: as often as it is added for a while, then at an even pace. So two controllers that
 * undo each other's changes do not keep the processor busy.
 */
export interface KeyPace {
  /** Runs without a pause. */
  readonly burst: number;
  /** Milliseconds of the process after which there is room for another run. */
  readonly interval: number;
}

/** Most milliseconds that {@link RunPace.charge} adds at once. */
const HIGHEST_CHARGE = 10_000;

/** Keys whose runs are remembered; the one that ran the longest time ago is forgotten first. */
const CAPACITY = 4096;

/** Remembers how often keys were processed. */
export class RunPace {
  readonly #pace: KeyPace;
  readonly #clock: Pick<ProcessClock, 'now'>;
  /** When the runs of a key would be paid for, at one in each interval. */
  readonly #paid = new BoundedMap<string, number>(CAPACITY);

  constructor(pace: KeyPace, clock: Pick<ProcessClock, 'now'>) {
    this.#pace = pace;
    this.#clock = clock;
  }

  /** Counts a run that may begin now. @returns 0, or milliseconds until it may: then it is not counted */
  begin(key: string): number {
    const { burst, interval } = this.#pace;
    const now = this.#clock.now();
    const paid = Math.max(now, this.#paid.get(key) ?? 0) + interval;
    const ahead = paid - now - burst * interval;
    // The wall clock of the machine may have gone back.
    if (ahead > interval + HIGHEST_CHARGE) this.#paid.delete(key);
    else if (ahead > 0) return ahead;
    else this.#paid.set(key, paid);
    return 0;
  }

  /** Makes the last run of a key as expensive as if it had taken some milliseconds more of its room. */
  charge(key: string, milliseconds: number): void {
    const paid = this.#paid.get(key);
    if (paid !== undefined) this.#paid.set(key, paid + Math.min(milliseconds, HIGHEST_CHARGE));
  }
}
