import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';
import { ConfigurationError } from '../errors/configuration-error.ts';
import type { ProcessClock } from '../time/clock.ts';

/** Between two looks at the parent process, in milliseconds. */
const INTERVAL = 500;
const STANDARD_INPUT = 0;

/** What this process sees of the one that started it. */
export interface ParentProcess {
  /** A pipe (or a socket) ends with its writers. A terminal is not read: that would stop a process in the background. */
  readonly input: 'pipe' | 'terminal' | 'other';
  /** Reads the standard input and discards it; calls `ended` at its end. */
  readInput(ended: () => void): void;
  /** Number of the parent process at present. */
  pid(): number;
  isRunning(pid: number): boolean;
}

/**
 * Calls `ended` once with the reason when the parent has ended: the standard input ends, or the parent process is
 * another one or gone. Every process that has inherited the other end of the pipe keeps the input open, so both are
 * needed.
 * @throws ConfigurationError if the standard input cannot tell, as /dev/null and files
 */
export function followParent(
  parent: ParentProcess,
  clock: Pick<ProcessClock, 'every'>,
  ended: (reason: string) => void,
): void {
  if (parent.input === 'other')
    throw new ConfigurationError(
      '--exit-with-parent needs a pipe as the standard input, and it is a file or /dev/null: keep a pipe to it open, whose end stops the server',
    );
  let told = false;
  const tell = (reason: string): void => {
    stop();
    if (told) return;
    told = true;
    ended(reason);
  };
  const first = parent.pid();
  const stop = clock.every(INTERVAL, () => {
    if (parent.pid() !== first || !parent.isRunning(first)) tell('the parent process ended');
  });
  if (parent.input === 'pipe') parent.readInput(() => tell('the standard input ended'));
}

/** The parent of this process. */
export const parentProcess: ParentProcess = {
  get input() {
    if (isatty(STANDARD_INPUT)) return 'terminal';
    const found = fstatSync(STANDARD_INPUT);
    return found.isFIFO() || found.isSocket() ? 'pipe' : 'other';
  },
  readInput(ended) {
    for (const event of ['end', 'close', 'error']) process.stdin.on(event, ended);
    process.stdin.resume();
  },
  pid: () => process.ppid,
  isRunning(pid) {
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== 'ESRCH';
    }
  },
};
