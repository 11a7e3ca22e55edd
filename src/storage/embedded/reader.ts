import { yieldToEventLoop } from '../../time/event-loop.ts';
import { CorruptObjectError } from '../corrupt-object.ts';
import { compareKeys } from '../sorted-map.ts';
import {
  fromKey,
  type MaybePromise,
  type RangeOptions,
  type RangeResult,
  type StoredEntry,
  type StoreEvent,
} from '../storage.ts';
import type { HistorySlice } from '../watch-hub.ts';
import { type Head, isIntact, readHead, readLogRecord, readNumber } from './encoding.ts';
import type { StoreState } from './state.ts';

/** Keys visited and value bytes copied before a long read yields to the event loop. */
const sliceKeys = 1000;
/** Keys read per batch for a short page: some may be newer than the requested revision. */
const leastKeys = 64;
const sliceBytes = 1 << 20;
const emptyValue = new Uint8Array(0);

interface RangeProgress {
  readonly options: RangeOptions;
  /** Revision of the state being read. */
  readonly revision: number;
  /** The store's revision when the read began; a watch that continues the read starts after it. */
  readonly header: number;
  readonly limit: number;
  readonly entries: StoredEntry[];
  count: number;
  /** Start of the next slice; undefined when the range is finished. */
  cursor: string | undefined;
}

/**
 * Reads the state at a revision: follows the log's links from the newest change of a key to the first that is
 * not newer. Commits that are durable but not yet published are skipped in the same way. A corrupt record is
 * returned as an entry with {@link StoredEntry.corruption}; other entries are not affected.
 */
export class Reader {
  constructor(private readonly state: StoreState) {}

  at(key: string, revision: number): StoredEntry | undefined {
    return this.#stateOf(key, revision, false);
  }

  /** The value of a key whose newest change is `head`. */
  present(key: string, head: Head): StoredEntry {
    return this.#newest(key, head, false) ?? corruptEntry(key, head, missing);
  }

  /** Synchronous for a small range; a large one is read in slices, all at the same revision. */
  range(options: RangeOptions): MaybePromise<RangeResult> {
    const progress: RangeProgress = {
      options,
      revision: options.revision || this.state.revision,
      header: this.state.revision,
      limit: options.limit || Number.POSITIVE_INFINITY,
      entries: [],
      count: 0,
      cursor: options.start,
    };
    this.#readSlice(progress);
    return progress.cursor === undefined ? finish(progress) : this.#readSlices(progress);
  }

  /** A bounded number of changes from `from` to `to`, both inclusive, as events. */
  history(from: number, to: number): HistorySlice {
    const revisions = this.state.environment.log.keys(from, to + 1, sliceKeys);
    const events: StoreEvent[] = [];
    let bytes = 0;
    for (const revision of revisions) {
      const event = this.#event(revision);
      events.push(event);
      bytes += event.value.length + (event.previous?.value.length ?? 0);
      if (bytes > sliceBytes) return { events, next: revision + 1 };
    }
    return { events, next: revisions.length < sliceKeys ? to + 1 : revisions.at(-1)! + 1 };
  }

  async #readSlices(progress: RangeProgress): Promise<RangeResult> {
    while (progress.cursor !== undefined) {
      await yieldToEventLoop();
      await this.state.reopening;
      this.state.assertReadable(progress.revision);
      this.#readSlice(progress);
    }
    return finish(progress);
  }

  #readSlice(progress: RangeProgress): void {
    const { options, revision, entries, limit } = progress;
    const most = options.uncounted
      ? Math.min(sliceKeys, Math.max(leastKeys, limit - entries.length + 1))
      : sliceKeys;
    const { live, deleted } = this.state.environment;
    const end = options.end === '' ? undefined : options.end;
    const start = progress.cursor!;
    progress.cursor = undefined;
    if (end !== undefined && start >= end) return;
    // No change is newer than the requested revision: deleted keys don't matter, and the other keys can be
    // counted.
    const settled = revision === this.state.revision && !this.state.committing;
    const mostLive = settled ? Math.min(sliceKeys, limit - entries.length) : most;
    const keys = live.keys(start, end, mostLive);
    let full = keys.length === mostLive;
    const deletedKeys = settled ? [] : deleted.keys(start, end, most);
    if (deletedKeys.length > 0) {
      const last = [
        full ? keys.at(-1)! : undefined,
        deletedKeys.length === most ? deletedKeys.at(-1)! : undefined,
      ]
        .filter((key) => key !== undefined)
        .sort()[0];
      full = last !== undefined;
      keys.push(...deletedKeys);
      keys.sort(compareKeys);
      if (last !== undefined) keys.length = keys.lastIndexOf(last) + 1;
    }
    let bytes = 0;
    for (const key of keys) {
      const entry = this.#stateOf(key, revision, options.keysOnly || entries.length >= limit);
      if (entry) {
        progress.count += 1;
        bytes += entry.value.length;
        if (entries.length < limit) entries.push(entry);
      }
      if (options.uncounted && progress.count > limit) return;
      if (bytes > sliceBytes) {
        progress.cursor = `${key}\0`;
        return;
      }
    }
    if (!full) return;
    const next = `${keys.at(-1)!}\0`;
    if (settled && entries.length >= limit)
      progress.count += options.uncounted ? live.keys(next, end, 1).length : live.count(next, end);
    else progress.cursor = next;
  }

  #stateOf(key: string, revision: number, keysOnly: boolean): StoredEntry | undefined {
    const { live, deleted, log } = this.state.environment;
    const head = live.get(key, readHead);
    if (head && (head.corrupt || head.revision <= revision)) return this.#newest(key, head, keysOnly);
    let current = head?.revision ?? deleted.get(key, readNumber) ?? 0;
    while (current > revision) {
      const at = current;
      const before = log.get(at, (buffer, size) => {
        const record = readLogRecord(buffer, size);
        return record.key === key && isIntact(buffer, size, at) ? record.previousRevision : at;
      });
      if (before === undefined && at === head?.revision) return corruptEntry(key, head, missing);
      if (before !== undefined && before >= at)
        return corruptEntry(key, { revision: at, createRevision: at }, changed);
      current = before ?? 0;
    }
    return this.#entry(key, current, keysOnly);
  }

  #newest(key: string, head: Head, keysOnly: boolean): StoredEntry | undefined {
    if (head.corrupt) return corruptEntry(key, head, changed);
    return this.#entry(key, head.revision, keysOnly) ?? corruptEntry(key, head, missing);
  }

  /** The entry put by the change of `key` at `revision`; undefined for a deletion and a compacted change. */
  #entry(key: string, revision: number, keysOnly: boolean): StoredEntry | undefined {
    if (!revision) return undefined;
    return this.state.environment.log.get(revision, (buffer, size) => {
      const record = readLogRecord(buffer, size);
      const { createRevision } = record;
      if (record.key !== key || !(keysOnly || isIntact(buffer, size, revision)))
        return corruptEntry(key, { revision, createRevision }, changed, copy(record.value));
      if (record.deletion) return undefined;
      return { key, value: keysOnly ? emptyValue : copy(record.value), revision, createRevision };
    });
  }

  #event(revision: number): StoreEvent {
    const { intact, deletion, key, value, createRevision, previousRevision } = this.state.environment.log.get(
      revision,
      (buffer, size) => {
        const record = readLogRecord(buffer, size);
        return { ...record, value: copy(record.value), intact: isIntact(buffer, size, revision) };
      },
    )!;
    const event = {
      type: deletion ? 'delete' : 'put',
      key,
      revision,
      value,
      createRevision: deletion ? 0 : createRevision,
    } as const;
    if (!intact)
      return { ...event, previous: undefined, corruption: new CorruptObjectError(fromKey(key), changed) };
    return { ...event, previous: this.#entry(key, previousRevision, false) };
  }
}

const advice =
  'restore the object from a backup, or delete it with the option ignoreStoreReadErrorWithClusterBreakingPotential';
const changed = `the stored bytes do not match their checksum; ${advice}`;
const missing = `its record is missing from the data file; ${advice}`;

function corruptEntry(
  key: string,
  { revision, createRevision }: Pick<Head, 'revision' | 'createRevision'>,
  cause: string,
  value: Uint8Array = emptyValue,
): StoredEntry {
  return { key, value, revision, createRevision, corruption: new CorruptObjectError(fromKey(key), cause) };
}

function finish({ entries, count, header }: RangeProgress): RangeResult {
  return { entries, count, more: count > entries.length, revision: header };
}

/** Copies into a buffer of its own: not lmdb's reused buffer, not a slice of Node's pool. */
function copy(view: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(view.length);
  bytes.set(view);
  return bytes;
}
