import { upperBound } from '../range-index.ts';
import { compareKeys, createSortedMap, type SortedMap } from '../sorted-map.ts';
import type { StoredEntry, StoreEvent } from '../storage.ts';

const emptyValue = new Uint8Array(0);

/** One change of one key, linked to the previous change until compaction removes the link. */
export interface Version {
  readonly key: string;
  /** undefined for a deletion. */
  readonly entry: StoredEntry | undefined;
  readonly revision: number;
  /** Expiry of the key, in milliseconds since the epoch; 0 for none. */
  readonly deadline: number;
  previous: Version | undefined;
}

/** Converts the change to a watch event. */
export function toEvent(version: Version): StoreEvent {
  const { key, revision, entry } = version;
  const previous = version.previous?.entry;
  if (!entry) return { type: 'delete', key, revision, value: emptyValue, createRevision: 0, previous };
  return { type: 'put', key, revision, value: entry.value, createRevision: entry.createRevision, previous };
}

function versionAt(head: Version | undefined, revision: number): StoredEntry | undefined {
  let version = head;
  while (version && version.revision > revision) version = version.previous;
  return version?.entry;
}

function pastOf(
  versions: SortedMap<Version>,
  start: string,
  end: string,
  revision: number,
  limit: number,
): StoredEntry[] {
  const found: StoredEntry[] = [];
  versions.forRange(start, upperBound(end), false, (_key, head) => {
    const entry = versionAt(head, revision);
    if (entry) found.push(entry);
    return found.length >= limit ? { break: true } : undefined;
  });
  return found;
}

const sizeOf = (version: Version): number => version.key.length + (version.entry?.value.length ?? 0) + 200;
const leaseKey = (version: Version): string => `${String(version.deadline).padStart(16, '0')}${version.key}`;

/**
 * Keys with their current version, deleted keys with their tombstone until compaction, and all changes in
 * revision order. Compaction removes the links of changes below the compacted revision, and tombstones there.
 * The state at the compacted revision, and all later events with their previous values, remain readable.
 */
export class VersionStore {
  readonly #live = createSortedMap<Version>();
  readonly #deleted = createSortedMap<Version>();
  readonly #leases = createSortedMap<Version>();
  #log: Version[] = [];
  /** Approximate bytes of history: superseded versions and tombstones. */
  #historyBytes = 0;

  get keys(): number {
    return this.#live.size;
  }

  get historyBytes(): number {
    return this.#historyBytes;
  }

  current(key: string): Version | undefined {
    return this.#live.get(key);
  }

  /** Appends a change. `value` is copied. */
  append(key: string, value: Uint8Array | undefined, revision: number, deadline: number): Version {
    const live = this.#live.get(key);
    const previous = live ?? this.#deleted.get(key);
    const createRevision = live?.entry?.createRevision ?? revision;
    const entry = value && { key, value: Uint8Array.from(value), revision, createRevision };
    const version: Version = { key, entry, revision, deadline, previous };
    this.#log.push(version);
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
    return versionAt(this.#live.get(key) ?? this.#deleted.get(key), revision);
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
    const first = this.#countBelow(from);
    const end = this.#countBelow(to + 1);
    if (end - first <= limit) return this.#log.slice(first, end);
    return this.#log.slice(first, this.#countBelow(this.#log[first + limit - 1]!.revision + 1));
  }

  /** Revision of the change in the middle of the log, used to compact when history exceeds its bound. */
  middleRevision(): number {
    return this.#log[this.#log.length >>> 1]?.revision ?? 0;
  }

  compact(revision: number): void {
    const dropped = this.#countBelow(revision);
    for (const version of this.#log.slice(0, dropped)) {
      if (version.previous?.entry) this.#historyBytes -= sizeOf(version.previous);
      version.previous = undefined;
      if (version.entry) continue;
      this.#historyBytes -= sizeOf(version);
      if (this.#deleted.get(version.key) === version) this.#deleted.delete(version.key);
    }
    this.#log = this.#log.slice(dropped);
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

  #countBelow(revision: number): number {
    let low = 0;
    let high = this.#log.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#log[middle]!.revision < revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
