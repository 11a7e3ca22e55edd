import { upperBound } from '../range-index.ts';
import { compareKeys, createSortedMap, type SortedMap } from '../sorted-map.ts';
import type { StoredEntry } from '../storage.ts';
import type { ByteBudget } from './byte-budget.ts';
import { ChangeLog } from './change-log.ts';
import { sizeOf, type Version, versionAt } from './version.ts';

function pastOf(
  versions: SortedMap<Version>,
  start: string,
  end: string,
  revision: number,
  limit: number,
): StoredEntry[] {
  const found: StoredEntry[] = [];
  versions.forRange(start, upperBound(end), false, (_key, head) => {
    const entry = versionAt(head, revision)?.entry;
    if (entry) found.push(entry);
    return found.length >= limit ? { break: true } : undefined;
  });
  return found;
}

const leaseKey = (version: Version): string => `${String(version.deadline).padStart(16, '0')}${version.key}`;

/**
 * Keys with their current version, deleted keys with their tombstone until compaction, and all changes in
 * revision order. Compaction removes the links of changes below the compacted revision, and tombstones there.
 * The state at the compacted revision, and all later events with their previous values, remain readable.
 *
 * A fork costs the same whatever the number of keys: maps and log are copied where one of the two changes them.
 */
export class VersionStore {
  #live = createSortedMap<Version>();
  #deleted = createSortedMap<Version>();
  #leases = createSortedMap<Version>();
  #log: ChangeLog;
  /** Approximate bytes of history: superseded versions and tombstones. */
  #historyBytes = 0;

  /** The revision at which it began as a fork: what is older belongs to others too. */
  #base = 0;
  #changedBytes = 0;

  readonly #budget: ByteBudget | undefined;

  /** @param budget counts {@link changedBytes} of several stores */
  constructor(budget?: ByteBudget, log: ChangeLog = new ChangeLog()) {
    this.#budget = budget;
    this.#log = log;
  }

  get keys(): number {
    return this.#live.size;
  }

  get historyBytes(): number {
    return this.#historyBytes;
  }

  /** Approximate bytes of the versions that were appended and are still kept: those from before a fork do not count. */
  get changedBytes(): number {
    return this.#changedBytes;
  }

  current(key: string): Version | undefined {
    return this.#live.get(key);
  }

  /** A store with the same state and the same history. @param revision the present one */
  fork(revision: number, budget?: ByteBudget): VersionStore {
    const fork = this.forkWithoutHistory(revision, budget);
    fork.#deleted = this.#deleted.clone();
    fork.#log = this.#log.fork();
    fork.#historyBytes = this.#historyBytes;
    return fork;
  }

  /** A store with the same state: nothing older can be read. @param revision the present one */
  forkWithoutHistory(revision: number, budget?: ByteBudget): VersionStore {
    const fork = new VersionStore(budget);
    fork.#base = revision;
    fork.#live = this.#live.clone();
    fork.#leases = this.#leases.clone();
    return fork;
  }

  /**
   * A store with the state at a revision, which must not be compacted; nothing older can be read. It costs as much
   * as there are changes after it.
   */
  forkAt(revision: number, budget?: ByteBudget): VersionStore {
    const fork = this.forkWithoutHistory(revision, budget);
    for (const version of this.#log.newestAfter(revision)) fork.#undo(version);
    return fork;
  }

  /** Appends a change. `value` is copied. @param time when it is made */
  append(
    key: string,
    value: Uint8Array | undefined,
    revision: number,
    deadline: number,
    time: number,
  ): Version {
    const live = this.#live.get(key);
    const previous = live ?? this.#deleted.get(key);
    const createRevision = live?.entry?.createRevision ?? revision;
    const entry = value && { key, value: Uint8Array.from(value), revision, createRevision };
    const version: Version = { key, entry, revision, deadline, time, previous };
    this.#log.append(version);
    this.#count(sizeOf(version));
    if (live) {
      this.#historyBytes += sizeOf(live);
      if (live.deadline) this.#leases.delete(leaseKey(live));
    }
    if (entry) {
      this.#live.set(key, version);
      this.#deleted.delete(key);
      if (deadline) this.#leases.set(leaseKey(version), version);
    } else {
      this.#live.delete(key);
      this.#deleted.set(key, version);
      this.#historyBytes += sizeOf(version);
    }
    return version;
  }

  at(key: string, revision: number): StoredEntry | undefined {
    return versionAt(this.#live.get(key) ?? this.#deleted.get(key), revision)?.entry;
  }

  count(start: string, end: string): number {
    return this.#live.forRange(start, upperBound(end), false);
  }

  /** Current entries of the range, at most `limit`. */
  present(start: string, end: string, limit: number): StoredEntry[] {
    const found: StoredEntry[] = [];
    const high = upperBound(end);
    for (const [key, version] of this.#live.entries(start)) {
      if (key >= high || found.length >= limit) break;
      found.push(version.entry!);
    }
    return found;
  }

  /** Entries of the range as of `revision`, in key order, at most `limit`. */
  past(start: string, end: string, revision: number, limit: number): StoredEntry[] {
    const alive = pastOf(this.#live, start, end, revision, limit);
    const dead = pastOf(this.#deleted, start, end, revision, limit);
    if (dead.length === 0) return alive;
    const found = [...alive, ...dead].sort((a, b) => compareKeys(a.key, b.key));
    if (found.length > limit) found.length = limit;
    return found;
  }

  /**
   * Changes from `from` to `to`, both inclusive: at least `limit`, if there are as many, and the rest of the
   * last one's revision.
   */
  changes(from: number, to: number, limit: number): Version[] {
    return this.#log.slice(from, to, limit);
  }

  /** Revision of the change in the middle of the log, used to compact when history exceeds its bound. */
  middleRevision(): number {
    return this.#log.middle()?.revision ?? 0;
  }

  /** The revision of the last change at or before a time; undefined if all known changes are later. */
  revisionAt(time: number): number | undefined {
    for (const version of this.#log.newestAfter(0)) if (version.time <= time) return version.revision;
    return undefined;
  }

  compact(revision: number): void {
    this.#log.dropBefore(revision, (version) => {
      if (version.previous?.entry) {
        this.#historyBytes -= sizeOf(version.previous);
        this.#forget(version.previous);
      }
      if (version.entry) return;
      this.#historyBytes -= sizeOf(version);
      this.#forget(version);
      if (this.#deleted.get(version.key) === version) this.#deleted.delete(version.key);
    });
  }

  /** Gives back what forks do not share; the store is not used any more. */
  close(): void {
    this.#log.close();
    this.#live = createSortedMap();
    this.#deleted = createSortedMap();
    this.#leases = createSortedMap();
    this.#historyBytes = 0;
    this.#count(-this.#changedBytes);
  }

  /** The earliest lease deadline, undefined without leases. */
  nextDeadline(): number | undefined {
    const first = this.#leases.minKey();
    return first === undefined ? undefined : this.#leases.get(first)!.deadline;
  }

  /** Versions whose lease expired at or before `now`, at most `limit`. */
  expired(now: number, limit: number): Version[] {
    const found: Version[] = [];
    for (const version of this.#leases.values()) {
      if (version.deadline > now || found.length >= limit) break;
      found.push(version);
    }
    return found;
  }

  #count(bytes: number): void {
    this.#changedBytes += bytes;
    this.#budget?.count(bytes);
  }

  #forget(version: Version): void {
    if (version.revision > this.#base) this.#count(-sizeOf(version));
  }

  /** Makes the state before a change the current one. */
  #undo(version: Version): void {
    const { key, previous } = version;
    if (version.deadline && version.entry) this.#leases.delete(leaseKey(version));
    if (previous?.entry) {
      this.#live.set(key, previous);
      if (previous.deadline) this.#leases.set(leaseKey(previous), previous);
    } else this.#live.delete(key);
  }
}
