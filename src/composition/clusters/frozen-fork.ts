import type { MemoryStorage } from '../../storage/memory/memory-storage.ts';

/** A time that stands still: nothing expires. */
export const NEVER_DUE = { now: () => 0, after: () => () => undefined };

/**
 * A state of a store, which does not change.
 * @param revision default: the present one
 * @throws CompactedError, FutureRevisionError
 */
export const frozenFork = (memory: MemoryStorage, revision = memory.revision): MemoryStorage =>
  memory.fork({ clusterClock: NEVER_DUE }, { revision });
