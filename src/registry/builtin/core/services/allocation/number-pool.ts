import type { MaybePromise } from '../../../../../storage/storage.ts';

/**
 * Places 0 … size-1, each held at most once. The one behind this process keeps them in memory; several
 * replicas that share a store need one whose `reserve` compares and swaps a shared record.
 */
export interface NumberPool {
  readonly size: number;
  /** Whether somebody holds the place. */
  has(place: number): MaybePromise<boolean>;
  /** Takes the place; false when somebody holds it. */
  reserve(place: number): MaybePromise<boolean>;
  /** Takes any free place; undefined when none is left. */
  allocateNext(): MaybePromise<number | undefined>;
  /** Gives back one hold of the place; nothing happens when nobody holds it. */
  release(place: number): MaybePromise<void>;
  /**
   * Records a hold that already exists, even beside another one: both must be given back before the place is
   * free.
   */
  markAllocated(place: number): MaybePromise<void>;
}

/** A pool in memory. Every operation completes within its call, so that no two callers can take one place. */
export class MemoryNumberPool implements NumberPool {
  /** Number of holders by place; above one only for conflicts found in the store. */
  readonly #holders = new Map<number, number>();

  /** @param band places below it are drawn only when all others are taken */
  constructor(
    readonly size: number,
    readonly band: number,
    /** 0 ≤ value < 1 */
    private readonly random: () => number,
  ) {}

  has(place: number): boolean {
    return this.#holders.has(place);
  }

  reserve(place: number): boolean {
    if (place < 0 || place >= this.size || this.#holders.has(place)) return false;
    this.#holders.set(place, 1);
    return true;
  }

  allocateNext(): number | undefined {
    if (this.#holders.size >= this.size) return undefined;
    return this.#drawBetween(this.band, this.size) ?? this.#drawBetween(0, this.band);
  }

  /** From a random start, so that an address freed is rarely the next one given out. */
  #drawBetween(low: number, high: number): number | undefined {
    const count = high - low;
    const start = Math.floor(this.random() * count);
    for (let step = 0; step < count; step += 1) {
      const place = low + ((start + step) % count);
      if (this.reserve(place)) return place;
    }
    return undefined;
  }

  release(place: number): void {
    const holders = this.#holders.get(place);
    if (holders === undefined) return;
    if (holders === 1) this.#holders.delete(place);
    else this.#holders.set(place, holders - 1);
  }

  markAllocated(place: number): void {
    if (place >= 0 && place < this.size) this.#holders.set(place, (this.#holders.get(place) ?? 0) + 1);
  }
}
