import { getHeapStatistics } from 'node:v8';
import type { Logger } from '../observability/log.ts';
import type { ProcessClock } from '../time/clock.ts';

/** Milliseconds between two readings. */
const INTERVAL = 1000;
/** Shares of the limit above which the log warns, and below which it may warn again. */
const HIGH = 0.8;
const LOW = 0.65;
/** Readings in a row above the share: one may contain garbage. */
const READINGS = 3;

/** The heap of the process, in bytes. */
export interface HeapReading {
  readonly used: number;
  readonly limit: number;
}

/** Reads the heap of V8. */
export function readHeap(): HeapReading {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return { used, limit };
}

/**
 * Warns before the heap is full: V8 ends the process then, without a word about what to do. Caches are most of the
 * heap of a server with many objects. Returns a function that ends it.
 */
export function watchHeap(
  clock: Pick<ProcessClock, 'every'>,
  logger: Pick<Logger, 'warn'>,
  read: () => HeapReading = readHeap,
): () => void {
  let above = 0;
  return clock.every(INTERVAL, () => {
    const { used, limit } = read();
    if (used < limit * LOW) above = 0;
    if (used < limit * HIGH) {
      above = above < READINGS ? 0 : above;
      return;
    }
    above += 1;
    if (above === READINGS)
      logger.warn(
        'the heap is nearly full, and the process ends when it is: raise its limit (NODE_OPTIONS=--max-old-space-size=MEGABYTES), or store fewer objects; with etcd, resources of many objects can have servers of their own',
        { usedMegabytes: Math.round(used / 2 ** 20), limitMegabytes: Math.round(limit / 2 ** 20) },
      );
  });
}
