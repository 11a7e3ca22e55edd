import type { MaybePromise } from '../steps/steps.ts';

/** Resolves after a delay in milliseconds. */
export type Wait = (milliseconds: number) => Promise<void>;

export interface RetryLookupOptions {
  /** Maximum number of look-ups. */
  readonly attempts: number;
  /** Milliseconds between look-ups. */
  readonly interval: number;
  readonly wait: Wait;
}

/**
 * Repeats a look-up until it succeeds, a bounded number of times. A synchronous first result creates no
 * promise.
 * @returns undefined when the last look-up found nothing
 */
export function retryLookup<T>(
  look: () => MaybePromise<T | undefined>,
  options: RetryLookupOptions,
): MaybePromise<T | undefined> {
  const first = look();
  if (first !== undefined && !(first instanceof Promise)) return first;
  return repeat(first, look, options);
}

async function repeat<T>(
  first: MaybePromise<T | undefined>,
  look: () => MaybePromise<T | undefined>,
  { attempts, interval, wait }: RetryLookupOptions,
): Promise<T | undefined> {
  let found = await first;
  for (let attempt = 1; found === undefined && attempt < attempts; attempt += 1) {
    await wait(interval);
    found = await look();
  }
  return found;
}
