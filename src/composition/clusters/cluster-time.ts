import { shortened } from '../../errors/shown.ts';
import type { AdjustableClock } from '../../time/adjustable-clock.ts';
import { processClock } from '../../time/clock.ts';
import { DurationError, parseMilliseconds } from '../../time/duration.ts';

/** Longest time in which a cluster comes to rest between two due times, in milliseconds of the process. */
const REST_MILLISECONDS = 30_000;

/** Characters of a value in an error. */
const MOST_SHOWN = 100;

/** A time: milliseconds since the Unix epoch, a date, or a text of RFC 3339. */
export type TimeValue = number | Date | string;
/** A duration: milliseconds, or a text of Go as `90s` or `1h30m`. */
export type DurationValue = number | string;

/**
 * The time of a cluster under test. The time moves on to the next due time only when the cluster is at rest, so that
 * what a timer begins is over before the next one fires. The clock of the process goes on: deadlines, retries after
 * errors and timeouts of watches follow it.
 */
export class ClusterTime {
  readonly #clock: AdjustableClock;
  readonly #quiescent: () => Promise<void>;

  constructor(clock: AdjustableClock, quiescent: () => Promise<void>) {
    this.#clock = clock;
    this.#quiescent = quiescent;
    clock.settleBy(() => this.#rest());
  }

  /** The present time of the cluster. */
  now(): Date {
    return new Date(this.#clock.now());
  }

  /** Whether the time stands still. */
  get isFrozen(): boolean {
    return this.#clock.isFrozen;
  }

  /** Stops the time. */
  freeze(): void {
    this.#clock.freeze();
  }

  /** Lets the time run as fast as that of the process. */
  run(): void {
    this.#clock.run();
  }

  /**
   * Moves the time forward; timers fire in order on the way. Resolves when the cluster is at rest at the new time.
   * @throws RangeError for what is no duration, Error if the cluster does not come to rest
   */
  async advance(duration: DurationValue): Promise<void> {
    await this.#clock.advance(millisecondsOf(duration));
    await this.#rest();
  }

  /**
   * Sets the time at once, as that of a machine which has slept: timers that are due by then fire in order, at the new
   * time. Resolves when the cluster is at rest.
   * @throws RangeError for what is no time, Error if the cluster does not come to rest
   */
  async set(time: TimeValue): Promise<void> {
    await this.#clock.jump(timeOf(time));
    await this.#rest();
  }

  async #rest(): Promise<void> {
    let cancel = (): void => undefined;
    const late = new Promise<never>((_, reject) => {
      cancel = processClock.after(REST_MILLISECONDS, () =>
        reject(
          new Error(
            `the cluster has not come to rest for ${REST_MILLISECONDS / 1000} s: something in it goes on for ever`,
          ),
        ),
      );
    });
    try {
      await Promise.race([this.#quiescent(), late]);
    } finally {
      cancel();
    }
  }
}

/** @throws RangeError */
export function millisecondsOf(duration: DurationValue): number {
  const milliseconds = readDuration(duration);
  if (!Number.isFinite(milliseconds) || milliseconds < 0)
    throw new RangeError(
      `${shownValue(duration)} is no duration: use milliseconds, or a text as "90s" or "1h30m"`,
    );
  return Math.round(milliseconds);
}

function readDuration(duration: DurationValue): number {
  if (typeof duration !== 'string') return duration;
  try {
    return parseMilliseconds(duration);
  } catch (error) {
    if (error instanceof DurationError) return Number.NaN;
    throw error;
  }
}

/** @throws RangeError */
export function timeOf(time: TimeValue): number {
  // A client may send anything; `Date` would take null and true for times.
  const isDate = typeof time === 'string' || time instanceof Date;
  const milliseconds = isDate ? new Date(time).getTime() : typeof time === 'number' ? time : Number.NaN;
  if (!Number.isFinite(milliseconds))
    throw new RangeError(`${shownValue(time)} is no time: use milliseconds, a Date or a text of RFC 3339`);
  return milliseconds;
}

const shownValue = (value: unknown): string => shortened(String(value), MOST_SHOWN);
