import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
/** Runs a full garbage collection, or with `minor` one of the young generation. */
export const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

/** Bytes of the ArrayBuffers that are still reachable, after a full garbage collection. */
export async function retainedBuffers(): Promise<number> {
  for (let pass = 0; pass < 2; pass += 1) {
    // Objects used in the current turn are released in the next one.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  return process.memoryUsage().arrayBuffers;
}

/** Bytes outside of the young generation of the heap. */
function oldBytes(): number {
  let bytes = 0;
  for (const { space_name, space_used_size } of getHeapSpaceStatistics())
    if (space_name !== 'new_space') bytes += space_used_size;
  return bytes;
}

/** {@link promotedBytes} of runs that wait. */
export async function promotedBytesAsync(count: number, run: () => Promise<void>): Promise<number> {
  for (let done = 0; done < count; done += 1) await run();
  collect();
  const before = oldBytes();
  for (let done = 0; done < count; done += 1) await run();
  // Objects used in the current turn are released in the next one.
  await new Promise((resolve) => setImmediate(resolve));
  collect({ type: 'minor' });
  collect({ type: 'minor' });
  return (oldBytes() - before) / count;
}

/**
 * Bytes per run that outlive collections of the young generation, compiled code included: V8 frees them only in a
 * full collection. Calls `run` as often as `count` says to warm up, and again to measure.
 */
export function promotedBytes(count: number, run: () => void): number {
  for (let done = 0; done < count; done += 1) run();
  collect();
  const before = oldBytes();
  for (let done = 0; done < count; done += 1) run();
  collect({ type: 'minor' });
  collect({ type: 'minor' });
  return (oldBytes() - before) / count;
}
