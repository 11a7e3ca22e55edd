/** What became of calls that were to be made. */
export interface BatchResult {
  /** Calls that succeeded. */
  readonly succeeded: number;
  /** The errors of those that failed, in the order in which they did. */
  readonly errors: readonly unknown[];
}

/**
 * Makes calls in batches of 1, 2, 4 … at once, so that a server that refuses them refuses few. No batch follows one in
 * which a call failed.
 * @param count calls to make
 */
export async function slowStart(
  count: number,
  call: (index: number) => Promise<unknown>,
): Promise<BatchResult> {
  const errors: unknown[] = [];
  let begun = 0;
  for (let size = 1; begun < count && errors.length === 0; size *= 2) {
    const batch = Math.min(size, count - begun);
    const calls = Array.from({ length: batch }, (_, index) => call(begun + index));
    begun += batch;
    for (const result of await Promise.allSettled(calls))
      if (result.status === 'rejected') errors.push(result.reason);
  }
  return { succeeded: begun - errors.length, errors };
}
