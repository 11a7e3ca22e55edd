import type { CacheRecord } from '../../cache/record.ts';
import { positionOf } from '../../cache/record-index.ts';
import type { ResourceCache } from '../../cache/resource-cache.ts';
import type { Snapshot } from '../../cache/snapshot.ts';
import { runIfLarge, runNow, type SizedWork } from '../../steps/run.ts';
import { stepSizes } from '../../steps/sizes.ts';
import type { MaybePromise, Steps } from '../../steps/steps.ts';
import type { Selection } from './selection.ts';

/** Records of a state, above which selecting some of them takes turns. */
const LARGE_STATE = 4096;

/** What a list or watch selects of a state. */
export interface RecordRange {
  /** Keys with start <= key < end. */
  readonly start: string;
  readonly end: string;
  /** Maximum number of records; 0 for all. */
  readonly limit: number;
  readonly selection: Selection;
}

export interface CollectedRecords {
  /** The state that they are of. */
  readonly snapshot: Snapshot;
  /** In key order. */
  readonly records: readonly CacheRecord[];
  /** Number of records that were read for it. */
  readonly fetched: number;
  /** Whether the range has records after the limit, selected or not. */
  readonly more: boolean;
}

/**
 * Collects records of the current state: those that an index of the cache finds, or by a scan, which takes turns in a
 * large state.
 * @param isNewer whether the state may be one after the call: that when an index is filled
 */
export function collectCurrent(
  cache: ResourceCache,
  range: RecordRange,
  work: SizedWork,
  isNewer = true,
): MaybePromise<CollectedRecords> {
  const { everything, queries } = range.selection;
  const found = cache.find(queries);
  if (found !== undefined) return collectFound(cache.current(), range, found);
  if (everything || cache.size <= LARGE_STATE) return collectNow(cache.current(), range);
  const filling = isNewer ? cache.filling(queries) : undefined;
  if (filling !== undefined) return filling.then(() => collectCurrent(cache, range, work, false));
  return runIfLarge(work, collecting(cache.freeze(), range));
}

/** Collects records of a state by a scan. */
export const collectNow = (snapshot: Snapshot, range: RecordRange): CollectedRecords =>
  runNow(collecting(snapshot, range));

/** Collects records of a state by a scan, in steps. */
export function* collecting(snapshot: Snapshot, range: RecordRange): Steps<CollectedRecords> {
  const { end, limit, selection } = range;
  const perStep = selection.everything ? Number.POSITIVE_INFINITY : stepSizes.records;
  const records: CacheRecord[] = [];
  const progress = { next: range.start as string | undefined, fetched: 0, more: false };
  while (progress.next !== undefined) {
    const { next: start, fetched: before } = progress;
    progress.next = undefined;
    snapshot.scan(start, end, (record) => {
      if (progress.fetched - before === perStep) {
        progress.next = record.key;
        return false;
      }
      progress.fetched += 1;
      // Later objects are not tested against the selectors: the next chunk may be empty, as in kube-apiserver.
      progress.more = limit > 0 && records.length === limit;
      if (progress.more) return false;
      if (selection.matches(record)) records.push(record);
      return undefined;
    });
    if (progress.next !== undefined) yield;
  }
  const { fetched, more } = progress;
  return { snapshot, records, fetched, more };
}

/** @param found a superset of the selected records, in key order */
function collectFound(
  snapshot: Snapshot,
  { start, end, limit, selection }: RecordRange,
  found: readonly CacheRecord[],
): CollectedRecords {
  const records: CacheRecord[] = [];
  let at = positionOf(found, start);
  let fetched = 0;
  for (; at < found.length && found[at]!.key < end; at += 1) {
    if (limit > 0 && records.length === limit) break;
    fetched += 1;
    if (selection.matches(found[at]!)) records.push(found[at]!);
  }
  const isFull = limit > 0 && records.length === limit;
  return { snapshot, records, fetched, more: isFull && hasAfter(snapshot, records.at(-1)!.key, end) };
}

function hasAfter(snapshot: Snapshot, key: string, end: string): boolean {
  let found = false;
  snapshot.scan(`${key}\0`, end, () => {
    found = true;
    return false;
  });
  return found;
}
