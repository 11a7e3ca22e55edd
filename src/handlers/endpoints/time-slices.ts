import { processClock } from '../../time/clock.ts';
import { yieldToEventLoop } from '../../time/event-loop.ts';

/** Time that a step may take before others have their turn, in milliseconds. */
const SLICE = 8;

/** Awaited between parts of long work, to yield to the event loop. */
export type Pause = () => Promise<void>;

/** Returns a function to await between parts of long work: it yields when a slice of time is used up. */
export function timeSlices(): Pause {
  let since = processClock.monotonic();
  return async () => {
    if (processClock.monotonic() - since < SLICE) return;
    await yieldToEventLoop();
    since = processClock.monotonic();
  };
}

/** Bytes that are copied without a pause. */
const COPIED_AT_ONCE = 4 * 1024 * 1024;

/** Joins buffers in steps. */
export async function concatenate(buffers: readonly Buffer[], pause: Pause): Promise<Buffer> {
  const joined = Buffer.allocUnsafe(buffers.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  let checked = 0;
  for (const buffer of buffers) {
    buffer.copy(joined, at);
    at += buffer.length;
    if (at - checked < COPIED_AT_ONCE) continue;
    checked = at;
    await pause();
  }
  return joined;
}
