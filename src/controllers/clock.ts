/** Time as controllers see it, so that tests hold it in their hands. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `action` once after so many milliseconds, unless the function answered is called before. */
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
 * Milliseconds before the next attempt, doubled each time up to ten seconds.
 * @param failures attempts that have failed, at least 1
 */
export const backOff = (failures: number): number =>
  Math.min(FIRST_DELAY * 2 ** (failures - 1), LONGEST_DELAY);

/** Time as objects bear it: whole seconds. */
export const formatTime = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
