import { type ProcessClock, processClock } from './clock.ts';

/**
 * Waits some milliseconds of the process, without keeping it alive unless the clock does.
 * @param signal ends the wait: the promise resolves early
 */
export function pause(
  milliseconds: number,
  clock: Pick<ProcessClock, 'after'> = processClock,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(milliseconds, end);
    signal?.addEventListener('abort', end, { once: true });
  });
}

/** A signal that aborts with a TimeoutError after some milliseconds of the process. */
export const timeoutSignal = (milliseconds: number): AbortSignal => AbortSignal.timeout(milliseconds);
