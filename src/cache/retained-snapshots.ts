import type { SortedMap } from '../storage/sorted-map.ts';
import { processClock } from '../time/clock.ts';
import type { CacheRecord } from './record.ts';

const MOST_SNAPSHOTS = 32;
const MOST_BYTES = 16 << 20;
/**
 * Longer than clients take between two chunks. Expired states are read from the store's history until it is
 * compacted.
 */
const MOST_MILLISECONDS = 5 * 60_000;

interface RetainedSnapshot {
  readonly tree: SortedMap<CacheRecord>;
  /** Bytes counted by {@link RetainedSnapshots.countReplaced} when the snapshot was taken. */
  readonly mark: number;
  /** Time of the last use, in monotonic milliseconds. */
  used: number;
}

/**
 * The snapshots referenced by continue tokens, oldest first. They share unchanged records with the current
 * state, so their cost is the records replaced since the oldest snapshot. That cost is bounded by evicting
 * the oldest.
 */
export class RetainedSnapshots {
  readonly #byRevision = new Map<number, RetainedSnapshot>();
  #replacedBytes = 0;

  /**
   * @param mostBytes maximum bytes of replaced records kept alive
   * @param now monotonic milliseconds
   */
  constructor(
    private readonly mostBytes = MOST_BYTES,
    private readonly now: () => number = processClock.monotonic,
  ) {}

  has(revision: number): boolean {
    return this.#byRevision.has(revision);
  }

  get(revision: number): SortedMap<CacheRecord> | undefined {
    const snapshot = this.#byRevision.get(revision);
    if (snapshot !== undefined) snapshot.used = this.now();
    return snapshot?.tree;
  }

  /** @param tree a clone that is never modified */
  retain(revision: number, tree: SortedMap<CacheRecord>): void {
    this.#byRevision.set(revision, { tree, mark: this.#replacedBytes, used: this.now() });
    if (this.#byRevision.size > MOST_SNAPSHOTS)
      this.#byRevision.delete(this.#byRevision.keys().next().value!);
  }

  /** Counts a record that was replaced in the current state. */
  countReplaced(record: CacheRecord): void {
    if (this.#byRevision.size === 0) return;
    this.#replacedBytes += record.value.length + record.key.length + 200;
    for (const [revision, { mark }] of this.#byRevision) {
      if (this.#replacedBytes - mark <= this.mostBytes) return;
      this.#byRevision.delete(revision);
    }
  }

  /**
   * Drops the snapshots before `revision`, which are compacted, and those that have not been used for a long
   * time.
   */
  compact(revision: number): void {
    if (this.#byRevision.size === 0) return;
    const oldest = this.now() - MOST_MILLISECONDS;
    for (const [retained, { used }] of this.#byRevision)
      if (retained < revision || used < oldest) this.#byRevision.delete(retained);
  }

  clear(): void {
    this.#byRevision.clear();
  }
}
