import type { ProcessClock } from '../time/clock.ts';

export interface PeriodicOptions {
  readonly clock: Pick<ProcessClock, 'after'>;
  /** Milliseconds between the end of a run and the next one. */
  readonly interval: number;
  /** Milliseconds until the first run; the interval unless given. */
  readonly delay?: number;
  readonly run: () => Promise<unknown>;
  readonly onError: (error: Error) => void;
}

/** A task that runs again and again; runs never overlap. */
export interface Periodic {
  /** Prevents further runs; resolves when the current one has ended. */
  stop(): Promise<void>;
  /** Runs at once, or after the current run. */
  runSoon(): void;
}

export function runPeriodically({ clock, interval, delay, run, onError }: PeriodicOptions): Periodic {
  let stopped = false;
  let current: Promise<void> = Promise.resolve();
  let runs = false;
  let runsAgain = false;
  const next = async (): Promise<void> => {
    runs = true;
    runsAgain = false;
    try {
      await run();
    } catch (error) {
      if (!stopped) onError(error as Error);
    }
    runs = false;
    if (!stopped) schedule(runsAgain ? 0 : interval);
  };
  let cancel = (): void => undefined;
  const schedule = (milliseconds: number): void => {
    cancel = clock.after(milliseconds, () => {
      current = next();
    });
  };
  schedule(delay ?? interval);
  return {
    runSoon() {
      runsAgain = true;
      if (runs || stopped) return;
      cancel();
      schedule(0);
    },
    stop() {
      stopped = true;
      cancel();
      return current;
    },
  };
}
