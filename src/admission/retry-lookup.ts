import type { Awaitable } from './listers.ts';

/** Resolves after so many milliseconds. */
export type Wait = (milliseconds: number) => Promise<void>;

export interface RetryLookupOptions {
  /** Lookups in all, the first included. */
  readonly attempts: number;
  /** Milliseconds between two lookups. */
  readonly interval: number;
  readonly wait: Wait;
}

/**
 * Looks something up until it is found, a bounded number of times. What is found at the first lookup costs no
 * promise.
 * @returns undefined when the last lookup found nothing either
 */
export function retryLookup<T>(
  look: () => Awaitable<T | undefined>,
  options: RetryLookupOptions,
): Awaitable<T | undefined> {
  const first = look();
  if (first !== undefined && !(first instanceof Promise)) return first;
  return repeat(first, look, options);
}

async function repeat<T>(
  first: Awaitable<T | undefined>,
  look: () => Awaitable<T | undefined>,
  { attempts, interval, wait }: RetryLookupOptions,
): Promise<T | undefined> {
  let found = await first;
  for (let attempt = 1; found === undefined && attempt < attempts; attempt += 1) {
    await wait(interval);
    found = await look();
  }
  return found;
}
