const FIRST_DELAY = 5;
const LONGEST_DELAY = 10_000;

/**
 * Exponential back-off in milliseconds, at most ten seconds.
 * @param failures number of failed attempts, at least 1
 */
export const backOff = (failures: number): number =>
  Math.min(FIRST_DELAY * 2 ** (failures - 1), LONGEST_DELAY);
