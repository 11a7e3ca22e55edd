import type { CacheRecord } from '../../cache/record.ts';
import type { Life } from '../../model/life.ts';
import type { TypeModel } from '../../model/type-model.ts';
import type { ServedResource } from '../../resources/served-resource.ts';
import { errors } from '../../status/index.ts';
import type { SizedWork } from '../../steps/run.ts';
import { CompactedError, FutureRevisionError, prefixEnd } from '../../storage/storage.ts';
import { processClock } from '../../time/clock.ts';
import type { HandlerEnvironment } from '../environment.ts';
import { type CollectedRecords, collectCurrent, collectNow, type RecordRange } from './collect-records.ts';
import { type ContinueToken, decodeContinueToken, encodeContinueToken } from './continue-token.ts';
import {
  futureRevision,
  hasWatchCache,
  INVALID_VERSION,
  type ListOptions,
  parseRevision,
} from './list-options.ts';
import type { Selection } from './selection.ts';

/** The result of a list: records in key order, its revision, and the position of the next chunk. */
export interface ListState extends ListPosition {
  /** All records; undefined if they exceed the memory limit and are read page by page. */
  readonly records: readonly CacheRecord[] | undefined;
  /** The records, from the start on every call. @throws the errors of a read of the store's history */
  pages(): Iterable<readonly CacheRecord[]> | AsyncIterable<readonly CacheRecord[]>;
}

export interface ListPosition {
  readonly revision: number;
  /** Token of the next chunk, '' after the last one. */
  readonly continueToken: string;
  /** Number of objects after this chunk, if known. */
  readonly remaining: number | undefined;
}

const OLD_VERSION_TEXT = 'The resourceVersion for the provided list is too old.';
const EXPIRED_TEXT =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

/** Bytes of a past state that a request buffers; a longer list is read a second time while it is sent. */
const HELD_BYTES = 2 << 20;

/** The range and selection of a list. */
interface Reading extends RecordRange {
  readonly resource: ServedResource;
  /** Undefined for the first chunk. */
  readonly token: ContinueToken | undefined;
  tokenAt(startKey: string, revision: number): string;
}

/**
 * Reads the state for a list by the rules of resourceVersion, resourceVersionMatch, limit and continue. Waits
 * for a version that is not there yet. The cost of a past state is proportional to the limit, not to the
 * collection.
 */
export async function readState(
  resource: ServedResource,
  namespace: string,
  exactName: string | undefined,
  options: ListOptions,
  selection: Selection,
  work: SizedWork,
  {
    operations: { futureRevisionWait },
    features,
    waitedForCache,
  }: Pick<HandlerEnvironment, 'operations' | 'features' | 'waitedForCache'>,
): Promise<ListState> {
  const prefix = resource.stored.scope(namespace);
  const { cache } = resource;
  const token = options.continueToken === '' ? undefined : readToken(options, prefix);
  const cached = hasWatchCache(resource.row, features);
  const start = token?.startKey ?? prefix;
  const reading: Reading = {
    resource,
    start: exactName !== undefined && exactName > start ? exactName : start,
    end: exactName === undefined ? prefixEnd(prefix) : `${exactName}\0`,
    // A list from the cache at version 0 ignores the limit.
    limit: cached && options.resourceVersion === '0' && token === undefined ? 0 : Math.max(0, options.limit),
    selection,
    token,
    tokenAt: (startKey, revision) => encodeContinueToken(startKey, prefix, revision, cached),
  };
  const exact = token === undefined ? exactRevision(options) : undefined;
  const least =
    exact !== undefined || (token !== undefined && token.revision >= 0)
      ? 0
      : token === undefined
        ? (parseRevision(options.resourceVersion, cached ? '' : INVALID_VERSION) ?? 'latest')
        : 'latest';
  const fresh = cache.waitFresh(least, futureRevisionWait);
  if (fresh !== undefined) await awaitFresh(fresh, resource, least, waitedForCache);
  else noteFresh(resource, least, waitedForCache);
  if (token !== undefined && token.revision >= 0) {
    const retained = cache.retainedSnapshot(token.revision);
    if (retained !== undefined) return listOf(reading, collectNow(retained, reading));
    return collectPast(reading, token.revision, () => expiredToken(reading.tokenAt(token.startKey, -1)));
  }
  if (exact !== undefined && exact !== cache.revision)
    return collectPast(reading, exact, () => errors.expired(OLD_VERSION_TEXT));
  return listOf(reading, await collectCurrent(cache, reading, work, exact === undefined));
}

/** Notes that a request need not wait for the cache. */
function noteFresh(
  { row, cache }: ServedResource,
  least: number | 'latest',
  waited: HandlerEnvironment['waitedForCache'],
): void {
  if (least === 'latest') cache.counts.consistentReads += 1;
  // Any state satisfies version 0.
  if (least !== 0) waited(row, 0);
}

/** Waits for the cache, and notes how long and whether it came in time. */
export async function awaitFresh(
  fresh: Promise<void>,
  { row, cache }: ServedResource,
  least: number | 'latest',
  waited: HandlerEnvironment['waitedForCache'],
): Promise<void> {
  const start = processClock.monotonic();
  try {
    await fresh;
    if (least === 'latest') cache.counts.consistentReads += 1;
  } catch (error) {
    if (least === 'latest') cache.counts.failedReads += 1;
    throw error;
  } finally {
    waited(row, (processClock.monotonic() - start) / 1000);
  }
}

function readToken({ continueToken, resourceVersion }: ListOptions, prefix: string): ContinueToken {
  const token = decodeContinueToken(continueToken, prefix);
  if (resourceVersion !== '' && resourceVersion !== '0')
    throw errors.badRequest('specifying resource version is not allowed when using continue');
  return token;
}

/**
 * The exact revision that the list requires; undefined if a newer one is acceptable.
 * @throws ApiError 400
 */
function exactRevision({ resourceVersion, resourceVersionMatch, limit }: ListOptions): number | undefined {
  const exact =
    resourceVersionMatch === 'Exact' ||
    (limit > 0 && resourceVersionMatch === '' && resourceVersion !== '' && resourceVersion !== '0');
  if (!exact) return undefined;
  const revision = parseRevision(resourceVersion, INVALID_VERSION);
  // No store has such a revision, and etcd would read it as a negative one.
  if (revision !== undefined && revision > Number.MAX_SAFE_INTEGER) throw futureRevision();
  return revision;
}

/** @param next a token for the same position in the latest state */
function expiredToken(next: string): Error {
  const error = errors.expired(EXPIRED_TEXT);
  error.continueToken = next;
  return error;
}

/** The list of what was collected in memory. */
function listOf(reading: Reading, { snapshot, records, fetched, more }: CollectedRecords): ListState {
  const { resource, end, selection, token, tokenAt } = reading;
  const { counts } = resource.cache;
  counts.lists += 1;
  counts.fetched += fetched;
  counts.returned += records.length;
  const revision = token !== undefined && token.revision > 0 ? token.revision : snapshot.revision;
  const held = { records, pages: () => [records] };
  if (!more) return { ...held, revision, continueToken: '', remaining: undefined };
  const startKey = `${records.at(-1)!.key}\0`;
  if (snapshot.revision === resource.cache.revision) resource.cache.retainSnapshot();
  return {
    ...held,
    revision,
    continueToken: tokenAt(startKey, revision),
    remaining: selection.everything ? snapshot.count(startKey, end) : undefined,
  };
}

/** Collects the list from the store's history. @param gone creates the error for a compacted revision */
async function collectPast(reading: Reading, revision: number, gone: () => Error): Promise<ListState> {
  const { resource, start, end, limit, selection, tokenAt } = reading;
  const readLimit = limit > 0 && selection.everything ? limit + 1 : Number.POSITIVE_INFINITY;
  let records: CacheRecord[] | undefined = [];
  let bytes = 0;
  let taken = 0;
  let last = '';
  let more = false;
  const add = (record: CacheRecord): boolean => {
    if (limit > 0 && taken === limit) {
      more = true;
      return false;
    }
    if (!selection.matches(record)) return true;
    taken += 1;
    last = record.key;
    bytes += record.value.length;
    if (bytes > HELD_BYTES) records = undefined;
    records?.push(record);
    // With a limit, the last key must be known before the response starts; a list without a limit is streamed.
    return records !== undefined || limit > 0;
  };
  const read = (to: string, most: number) =>
    answeringErrors(resource.past.pages(start, to, revision, most), resource.types, gone);
  for await (const page of read(end, readLimit)) if (!page.every(add)) break;
  const startKey = `${last}\0`;
  const held = records as readonly CacheRecord[] | undefined;
  const to = more ? startKey : end;
  const pages = () => (held === undefined ? selected(read(to, Number.POSITIVE_INFINITY), selection) : [held]);
  if (!more) return { records: held, pages, revision, continueToken: '', remaining: undefined };
  return {
    records: held,
    pages,
    revision,
    continueToken: tokenAt(startKey, revision),
    remaining: await remainingAfter(reading, startKey, taken, revision),
  };
}

/** Counts the objects from `startKey` on, if nothing is filtered out. */
async function remainingAfter(
  { resource, start, end, selection }: Reading,
  startKey: string,
  taken: number,
  revision: number,
): Promise<number | undefined> {
  if (!selection.everything) return undefined;
  const remaining = (await resource.past.count(start, end, revision)) - taken;
  // The next chunk begins at this key.
  resource.past.recordCount(startKey, end, revision, remaining);
  return remaining;
}

async function* selected(
  pages: AsyncIterable<readonly CacheRecord[]>,
  selection: Selection,
): AsyncGenerator<readonly CacheRecord[]> {
  for await (const page of pages)
    yield selection.everything ? page : page.filter((record) => selection.matches(record));
}

/** The releases that report a revision of the future as one that is not there yet. */
const ASKS_TO_WAIT: Life = { since: '1.34' };

async function* answeringErrors<Page>(
  pages: AsyncIterable<Page>,
  types: TypeModel,
  gone: () => Error,
): AsyncGenerator<Page> {
  try {
    yield* pages;
  } catch (error) {
    if (error instanceof CompactedError) throw gone();
    if (error instanceof FutureRevisionError)
      throw types.has(ASKS_TO_WAIT)
        ? errors.resourceVersionTooLarge(error.requestedRevision, error.currentRevision)
        : futureRevision();
    throw error;
  }
}
