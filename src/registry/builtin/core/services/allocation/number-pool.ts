import type { MaybePromise } from '../../../../../storage/storage.ts';

/**
 * Allocates the numbers 0 … size-1, each to at most one holder. {@link MemoryNumberPool} serves a single
 * process; replicas that share a store need a pool whose `reserve` compares and swaps a shared record.
 */
export interface NumberPool {
  readonly size: number;
  /** Whether the offset is allocated. */
  has(offset: number): MaybePromise<boolean>;
  /** Allocates the offset; returns false when it is already allocated. */
  reserve(offset: number): MaybePromise<boolean>;
  /** Allocates any free offset; returns undefined when the pool is full. */
  allocateNext(): MaybePromise<number | undefined>;
  /** Releases one holder of the offset; a no-op when it is free. */
  release(offset: number): MaybePromise<void>;
  /**
   * Records an allocation that is already stored. A second holder is counted: the offset is free after both
   * release it.
   */
  markAllocated(offset: number): MaybePromise<void>;
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
    return this.#allocateBetween(this.band, this.size) ?? this.#allocateBetween(0, this.band);
  }

  /** Starts at a random offset, so that a released address is rarely reused at once. */
  #allocateBetween(low: number, high: number): number | undefined {
    const count = high - low;
    const start = Math.floor(this.random() * count);
    for (let step = 0; step < count; step += 1) {
      const offset = low + ((start + step) % count);
      if (this.reserve(offset)) return offset;
    }
    return undefined;
  }

  release(offset: number): void {
    const holders = this.#holders.get(offset);
    if (holders === undefined) return;
    if (holders === 1) this.#holders.delete(offset);
    else this.#holders.set(offset, holders - 1);
  }

  markAllocated(offset: number): void {
    if (offset >= 0 && offset < this.size) this.#holders.set(offset, (this.#holders.get(offset) ?? 0) + 1);
  }
}
