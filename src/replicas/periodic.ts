import type { ClusterClock, ProcessClock } from '../time/clock.ts';

export interface PeriodicOptions {
  /** The clock by which the interval counts. */
  readonly clock: Pick<ProcessClock, 'after'> | Pick<ClusterClock, 'after'>;
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
}

export function runPeriodically({ clock, interval, delay, run, onError }: PeriodicOptions): Periodic {
  let stopped = false;
  let current: Promise<void> = Promise.resolve();
  const next = async (): Promise<void> => {
    try {
      await run();
    } catch (error) {
      if (!stopped) onError(error as Error);
    }
    if (!stopped) schedule(interval);
  };
  let cancel = (): void => undefined;
  const schedule = (milliseconds: number): void => {
    cancel = clock.after(milliseconds, () => {
      current = next();
    });
  };
  schedule(delay ?? interval);
  return {
    stop() {
      stopped = true;
      cancel();
      return current;
    },
  };
}
