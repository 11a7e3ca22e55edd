import type { NumberPool } from './number-pool.ts';

/** One address or port: an offset in a pool. */
export interface PoolEntry {
  readonly pool: NumberPool;
  readonly offset: number;
}

/**
 * Allocations of one request: all are kept or all are rolled back. Entries that the update no longer needs
 * are released only on commit.
 */
export class AllocationTransaction {
  readonly #reserved: PoolEntry[] = [];
  readonly #released: PoolEntry[] = [];

  /** Node ports reported by the dry run. */
  readonly #dryRunPorts = new Set<number>();

  /** @param dryRun reads the pools without changing them */
  constructor(private readonly dryRun: boolean) {}

  get isDryRun(): boolean {
    return this.dryRun;
  }

  /** Records a node port of a dry run; returns false when it is already recorded. */
  recordDryRunPort(port: number): boolean {
    if (this.#dryRunPorts.has(port)) return false;
    this.#dryRunPorts.add(port);
    return true;
  }

  /**
   * Returns the node port that a dry run reports for a dynamic allocation: one above its largest port so far,
   * or the second one above the range.
   */
  nextDryRunPort(last: number): number {
    const port = (this.#dryRunPorts.size === 0 ? last + 1 : Math.max(...this.#dryRunPorts)) + 1;
    this.#dryRunPorts.add(port);
    return port;
  }

  /** Reserves an entry; returns false when it is already allocated. */
  async reserve({ pool, offset }: PoolEntry): Promise<boolean> {
    if (this.dryRun) return !(await pool.has(offset));
    if (!(await pool.reserve(offset))) return false;
    this.#reserved.push({ pool, offset });
    return true;
  }

  /**
   * Allocates any free offset; returns undefined when the pool is full. A dry run gets `placeholder`, because
   * it reserves nothing.
   */
  async allocateNext(pool: NumberPool, placeholder: number): Promise<number | undefined> {
    if (this.dryRun) return placeholder;
    const offset = await pool.allocateNext();
    if (offset !== undefined) this.#reserved.push({ pool, offset });
    return offset;
  }

  /** Releases the entry after the new object is stored. */
  releaseOnCommit(entry: PoolEntry): void {
    if (!this.dryRun) this.#released.push(entry);
  }

  get isEmpty(): boolean {
    return this.#reserved.length === 0 && this.#released.length === 0;
  }

  commit = (): Promise<void> => releaseEntries(this.#released, this.#reserved);
  rollback = (): Promise<void> => releaseEntries(this.#reserved, this.#released);
}

/** Releases `entries` and clears both lists, so that a transaction ends only once. */
async function releaseEntries(entries: PoolEntry[], others: PoolEntry[]): Promise<void> {
  others.length = 0;
  for (const { pool, offset } of entries.splice(0)) await pool.release(offset);
}
