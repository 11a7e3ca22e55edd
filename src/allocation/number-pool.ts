import type { MaybePromise } from '../storage/storage.ts';

/**
 * Allocates the numbers 0 … size-1, each to at most one holder. {@link MemoryNumberPool} serves a single
 * process, `StoredNumberPool` servers that share a store.
 */
export interface NumberPool {
  readonly size: number;
  /** How many numbers are allocated, as far as this server knows. */
  readonly allocated: number;
  /** Whether the offset is allocated. */
  has(offset: number): MaybePromise<boolean>;
  /** Allocates the offset; returns false when it is already allocated. */
  reserve(offset: number): MaybePromise<boolean>;
  /** Allocates any free offset; returns undefined when the pool is full. */
  allocateNext(): MaybePromise<number | undefined>;
  /** Releases one holder of the offset; a no-op when it is free. */
  release(offset: number): MaybePromise<void>;
  /** Starts a repair; the holders must be listed after it resolves. */
  startRepair(): MaybePromise<PoolRepair>;
}

/** A repair of a pool, on the state that the pool had when it began. */
export interface PoolRepair {
  /**
   * Makes the pool agree with the holders.
   * @param offsets one entry for each holder; an offset may have several
   * @throws PoolChangedError when the pool has changed since the repair began
   */
  finish(offsets: readonly number[]): MaybePromise<RepairedOffsets>;
}

/** What a repair has changed. A pool that learns its holders only from repairs reports nothing. */
export interface RepairedOffsets {
  /** Offsets with a holder that were not allocated. */
  readonly added: readonly number[];
  /** Offsets without a holder that were released. */
  readonly released: readonly number[];
}

/** A pool changed while it was repaired: the repair has to begin again. */
export class PoolChangedError extends Error {
  override name = 'PoolChangedError';
}

/**
 * Returns a free offset, or undefined when all are allocated. The lower band is used only when the rest is
 * full. The search starts at a random offset, so that a released one is rarely reused at once.
 * @param size number of offsets
 * @param band size of the lower band
 * @param random returns 0 ≤ value < 1
 */
export function findFree(
  isAllocated: (offset: number) => boolean,
  size: number,
  band: number,
  random: () => number,
): number | undefined {
  return findBetween(isAllocated, band, size, random) ?? findBetween(isAllocated, 0, band, random);
}

/** Returns a free offset ≥ `low` and < `high`. */
function findBetween(
  isAllocated: (offset: number) => boolean,
  low: number,
  high: number,
  random: () => number,
): number | undefined {
  const count = high - low;
  const start = Math.floor(random() * count);
  for (let step = 0; step < count; step += 1) {
    const offset = low + ((start + step) % count);
    if (!isAllocated(offset)) return offset;
  }
  return undefined;
}

/** A pool in memory. Operations are synchronous, so two callers never get the same offset. */
export class MemoryNumberPool implements NumberPool {
  /** Number of holders by offset; more than one only after conflicts in the store. */
  readonly #holders = new Map<number, number>();

  /** @param band size of the lower band, which is used only when the rest is full */
  constructor(
    readonly size: number,
    readonly band: number,
    /** 0 ≤ value < 1 */
    private readonly random: () => number,
  ) {}

  get allocated(): number {
    return this.#holders.size;
  }

  has(offset: number): boolean {
    return this.#holders.has(offset);
  }

  reserve(offset: number): boolean {
    if (offset < 0 || offset >= this.size || this.#holders.has(offset)) return false;
    this.#holders.set(offset, 1);
    return true;
  }

  allocateNext(): number | undefined {
    if (this.#holders.size >= this.size) return undefined;
    const isAllocated = (offset: number): boolean => this.#holders.has(offset);
    const offset = findFree(isAllocated, this.size, this.band, this.random);
    if (offset !== undefined) this.reserve(offset);
    return offset;
  }

  release(offset: number): void {
    const holders = this.#holders.get(offset);
    if (holders === undefined) return;
    if (holders === 1) this.#holders.delete(offset);
    else this.#holders.set(offset, holders - 1);
  }

  /** Runs before the first allocation: the pool is empty then. */
  startRepair(): PoolRepair {
    return {
      finish: (offsets) => {
        this.#holders.clear();
        for (const offset of offsets)
          if (offset >= 0 && offset < this.size)
            this.#holders.set(offset, (this.#holders.get(offset) ?? 0) + 1);
        return { added: [], released: [] };
      },
    };
  }
}
