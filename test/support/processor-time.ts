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
