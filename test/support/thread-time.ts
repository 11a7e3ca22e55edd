import { existsSync, openSync, readSync } from 'node:fs';

const STATISTICS = `/proc/self/task/${process.pid}/schedstat`;
const file = existsSync(STATISTICS) ? openSync(STATISTICS, 'r') : undefined;
const buffer = Buffer.alloc(64);

/**
 * CPU time in milliseconds of the main thread on Linux, of the process elsewhere. Other programs and, on Linux, the
 * threads that collect garbage do not lengthen it.
 */
export function threadTime(): number {
  if (file === undefined) {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
  const text = buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0));
  return Number(text.slice(0, text.indexOf(' '))) / 1e6;
}

/** The longest time in milliseconds of {@link threadTime} between two turns of the event loop during a task. */
export async function longestStep(work: () => Promise<unknown>): Promise<number> {
  let running = true;
  let longest = 0;
  let last = threadTime();
  const turn = (): void => {
    const now = threadTime();
    longest = Math.max(longest, now - last);
    last = threadTime();
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  running = false;
  turn();
  return longest;
}
