/**
 * CPU time in milliseconds that this process spends on `run`. Unlike wall time, it depends little on other
 * programs. Only ratios of two such times in one run are meaningful; absolute values depend on the machine.
 */
export function processorTime(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Minimum time, so that short work is not dominated by noise. */
const LEAST_COUNTED_MILLISECONDS = 10;
/** Between 4 (linear) and 16 (quadratic); leaves room for cache misses. */
export const LINEAR_AT_FOUR_TIMES = 10;
const MOST_ROUNDS = 8;

/**
 * Ratio of CPU times for work of four times the size: about 4 for linear, about 16 for quadratic time. Both
 * sizes are measured alternately, using the best of each. A ratio that is too large is measured again, up to
 * eight times, to exclude noise.
 * @param prepare prepares the work of one size; not measured
 */
export function growthAtFourTimes(size: number, prepare: (size: number) => () => void): number {
  return leastRatio(
    () => processorTime(prepare(size * 4)),
    () => processorTime(prepare(size)),
    LINEAR_AT_FOUR_TIMES,
  );
}

/**
 * The ratio of two measured times, each the best of several rounds after a warm-up.
 * @param limit below this ratio two rounds are enough
 */
export function leastRatio(measured: () => number, base: () => number, limit: number): number {
  base();
  let [most, least, ratio] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < MOST_ROUNDS && (round < 2 || ratio >= limit); round += 1) {
    least = Math.min(least, base());
    most = Math.min(most, measured());
    ratio = most / Math.max(least, LEAST_COUNTED_MILLISECONDS);
  }
  return ratio;
}
