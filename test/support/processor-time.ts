/**
 * Milliseconds of processor time that this process spends on `run`: unlike wall time, other programs on a busy machine
 * do not lengthen it.
 */
export function processorTime(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * How many times more processor time work of four times the size takes: about 4 where time grows with size, about 16 where it grows with its square.
 * The work is done once to warm up; the best of several runs counts on either side.
 * @param prepare makes the work of one size, which is not counted
 */
export function growthAtFourTimes(size: number, prepare: (size: number) => () => void): number {
  const best = (one: number, runs: number): number => Math.min(...Array.from({ length: runs }, () => processorTime(prepare(one))));
  prepare(size)();
  // Work that is over in no time is not measured by its noise.
  return best(size * 4, 2) / Math.max(best(size, 3), LEAST_COUNTED_MILLISECONDS);
}

const LEAST_COUNTED_MILLISECONDS = 10;
