import type { Logger } from '../../src/observability/log.ts';
import { settle } from '../reconcile/manual-clock.ts';
import type { FakeClock } from '../storage/fake-clock.ts';

export const silentLogger = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  detail: () => undefined,
} as unknown as Logger;

/** Advances a clock in steps of a second; work that a timer starts is finished before the next step. */
export async function advance(clock: FakeClock, milliseconds: number): Promise<void> {
  for (let rest = milliseconds; ; rest -= 1000) {
    clock.advance(Math.min(1000, Math.max(rest, 0)));
    await settle();
    if (rest <= 1000) return;
  }
}
