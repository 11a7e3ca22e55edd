import type { NumberPool } from './number-pool.ts';

/** One address or port: a place in a pool. */
export interface Place {
  readonly pool: NumberPool;
  readonly place: number;
}

/**
 * Reservations of one request: all of them are kept or all given back. Nothing is released before the write
 * that no longer needs it is certain.
 */
export class AllocationTransaction {
  readonly #reserved: Place[] = [];
  readonly #released: Place[] = [];

  /** Ports that a dry run has shown. */
  readonly #shown = new Set<number>();

  /** @param dryRun takes nothing: places are only looked at */
  constructor(private readonly dryRun: boolean) {}

  get isDryRun(): boolean {
    return this.dryRun;
  }

  /** Notes a port that a dry run would reserve; false when it has noted it before. */
  showPort(port: number): boolean {
    if (this.#shown.has(port)) return false;
    this.#shown.add(port);
    return true;
  }

  /**
   * What a dry run shows for a port that would be drawn: the one after the largest it has shown, or one
   * beyond the range.
   */
  placeholderPort(last: number): number {
    const port = (this.#shown.size === 0 ? last + 1 : Math.max(...this.#shown)) + 1;
    this.#shown.add(port);
    return port;
  }

  /** False when somebody else holds the place. */
  async reserve({ pool, place }: Place): Promise<boolean> {
    if (this.dryRun) return !(await pool.has(place));
    if (!(await pool.reserve(place))) return false;
    this.#reserved.push({ pool, place });
    return true;
  }

  /**
   * Any free place; undefined when none is left. A dry run gets `placeholder`: a real one could be gone a
   * moment later.
   */
  async draw(pool: NumberPool, placeholder: number): Promise<number | undefined> {
    if (this.dryRun) return placeholder;
    const place = await pool.allocateNext();
    if (place !== undefined) this.#reserved.push({ pool, place });
    return place;
  }

  /** To be given back once the new object is stored. */
  releaseOnCommit(place: Place): void {
    if (!this.dryRun) this.#released.push(place);
  }

  get isEmpty(): boolean {
    return this.#reserved.length === 0 && this.#released.length === 0;
  }

  commit = (): Promise<void> => releaseAll(this.#released, this.#reserved);
  rollback = (): Promise<void> => releaseAll(this.#reserved, this.#released);
}

/** Either end of a transaction happens at most once. */
async function releaseAll(places: Place[], others: Place[]): Promise<void> {
  others.length = 0;
  for (const { pool, place } of places.splice(0)) await pool.release(place);
}
