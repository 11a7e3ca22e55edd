import { setTimeout as wait } from 'node:timers/promises';

/** Polls until the condition holds, for events in another process that cannot be awaited. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  milliseconds = 120_000,
): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`timed out waiting for: ${what}`);
    await wait(10);
  }
}
