/**
 * Milliseconds of processor time that this process spends on `run`: unlike wall time, other programs on a
 * busy machine lengthen it little. Only ratios of two such times in one run say something; absolute limits
 * depend on the machine.
 */
export function processorTime(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Work that is over in no time is not measured by its noise. */
const LEAST_COUNTED_MILLISECONDS = 10;
/** Between 4, which is linear, and 16, which is quadratic; caches that no longer fit cost a part of it. */
export const LINEAR_AT_FOUR_TIMES = 10;
const MOST_ROUNDS = 8;

/**
 * How many times more processor time work of four times the size takes: about 4 where time grows with size,
 * about 16 where it grows with its square. Both sizes are measured in turns and the best of each counts. A
 * ratio that is too large is measured again, up to eight times: noise goes away, a square does not.
 * @param prepare makes the work of one size, which is not counted
 */
export function growthAtFourTimes(size: number, prepare: (size: number) => () => void): number {
  return leastRatio(
    () => processorTime(prepare(size * 4)),
    () => processorTime(prepare(size)),
    LINEAR_AT_FOUR_TIMES,
  );
}

/**
 * The ratio of two measured times, each the best of several. The first round only warms up.
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
