/** The clock of controllers; tests replace it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `action` once after a delay. @returns cancels it */
  after(milliseconds: number, action: () => void): () => void;
}

export const systemClock: Clock = {
  now: Date.now,
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

const FIRST_DELAY = 5;
const LONGEST_DELAY = 10_000;

/**
 * Exponential back-off in milliseconds, at most ten seconds.
 * @param failures number of failed attempts, at least 1
 */
export const backOff = (failures: number): number =>
  Math.min(FIRST_DELAY * 2 ** (failures - 1), LONGEST_DELAY);

/** Formats a time as in objects: RFC 3339 in whole seconds. */
export const formatTime = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
