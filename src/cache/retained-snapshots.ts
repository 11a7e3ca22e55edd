import type { SortedMap } from '../storage/sorted-map.ts';
import type { CacheRecord } from './record.ts';

const MOST_SNAPSHOTS = 32;
const MOST_BYTES = 16 << 20;
/**
 * Longer than a client takes between two chunks; afterwards the store's history answers, as long as it is
 * kept.
 */
const MOST_MILLISECONDS = 5 * 60_000;

interface RetainedSnapshot {
  readonly tree: SortedMap<CacheRecord>;
  /** {@link RetainedSnapshots.countReplaced} has counted this much when the snapshot was taken. */
  readonly mark: number;
  /** Monotonic milliseconds at which it was last asked for. */
  used: number;
}

/**
 * The states that continue tokens name, oldest first. They share what has not changed since with the present
 * state, so their cost is the records replaced since the oldest of them: that is bounded, and the oldest are
 * dropped at the bound.
 */
export class RetainedSnapshots {
  readonly #byRevision = new Map<number, RetainedSnapshot>();
  #replacedBytes = 0;

  /**
   * @param mostBytes most bytes of replaced records kept alive
   * @param now monotonic milliseconds
   */
  constructor(
    private readonly mostBytes = MOST_BYTES,
    private readonly now: () => number = () => performance.now(),
  ) {}

  has(revision: number): boolean {
    return this.#byRevision.has(revision);
  }

  get(revision: number): SortedMap<CacheRecord> | undefined {
    const kept = this.#byRevision.get(revision);
    if (kept !== undefined) kept.used = this.now();
    return kept?.tree;
  }

  /** @param tree a clone that nobody changes */
  retain(revision: number, tree: SortedMap<CacheRecord>): void {
    this.#byRevision.set(revision, { tree, mark: this.#replacedBytes, used: this.now() });
    if (this.#byRevision.size > MOST_SNAPSHOTS)
      this.#byRevision.delete(this.#byRevision.keys().next().value!);
  }

  /** Counts a record that is no longer in the present state. */
  countReplaced(record: CacheRecord): void {
    if (this.#byRevision.size === 0) return;
    this.#replacedBytes += record.value.length + record.key.length + 200;
    for (const [revision, { mark }] of this.#byRevision) {
      if (this.#replacedBytes - mark <= this.mostBytes) return;
      this.#byRevision.delete(revision);
    }
  }

  /**
   * Drops the states before `revision`, which may not be shown any more, and those that nobody has asked for
   * in a long time.
   */
  compact(revision: number): void {
    if (this.#byRevision.size === 0) return;
    const oldest = this.now() - MOST_MILLISECONDS;
    for (const [kept, { used }] of this.#byRevision)
      if (kept < revision || used < oldest) this.#byRevision.delete(kept);
  }

  clear(): void {
    this.#byRevision.clear();
  }
}
