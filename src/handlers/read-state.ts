import { CacheRecord } from '../cache/record.ts';
import type { Snapshot } from '../cache/resource-cache.ts';
import type { StoredResource } from '../registry/stored-resource.ts';
import { errors } from '../status/index.ts';
import { CompactedError, FutureRevisionError, prefixEnd } from '../storage/storage.ts';
import { type ContinueToken, decodeContinueToken, encodeContinueToken } from './continue-token.ts';
import type { HandlerEnvironment } from './environment.ts';
import { futureRevision, type ListOptions, parseRevision } from './list-options.ts';
import type { Selection } from './selection.ts';

/** What a list found: records in key order, the state's revision, and how to go on. */
export interface ListState {
  readonly records: CacheRecord[];
  readonly revision: number;
  /** Token of the next chunk, '' when this was the last. */
  readonly continueToken: string;
  /** Objects after this chunk, where it is known. */
  readonly remaining: number | undefined;
}

const OLD_VERSION_TEXT = 'The provided resource version is too old to display a consistent list result.';
const EXPIRED_TEXT =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';
const STEP = 50;

/**
 * Reads the state a list asks for, by the table of resourceVersion, resourceVersionMatch, limit and continue.
 * A version that is not there yet is waited for.
 */
export async function readState(
  stored: StoredResource,
  namespace: string,
  exactName: string | undefined,
  options: ListOptions,
  selection: Selection,
  { operations: { futureRevisionWait }, features }: Pick<HandlerEnvironment, 'operations' | 'features'>,
): Promise<ListState> {
  const prefix = stored.scope(namespace);
  await stored.cache.ready();
  const token = options.continueToken === '' ? undefined : readToken(options, prefix);
  const tokenAt = (startKey: string, revision: number) => encodeContinueToken(startKey, prefix, revision, features.watchCache);
  const snapshot = await chooseState(stored, prefix, options, token, futureRevisionWait, tokenAt);
  return collect(stored, snapshot, prefix, exactName, options, selection, token, tokenAt);
}

type TokenMaker = (startKey: string, revision: number) => string;

function readToken({ continueToken, resourceVersion }: ListOptions, prefix: string): ContinueToken {
  const token = decodeContinueToken(continueToken, prefix);
  if (resourceVersion !== '' && resourceVersion !== '0') throw errors.badRequest('specifying resource version is not allowed when using continue');
  return token;
}

async function chooseState(
  stored: StoredResource,
  prefix: string,
  options: ListOptions,
  token: ContinueToken | undefined,
  wait: number,
  tokenAt: TokenMaker,
): Promise<Snapshot> {
  const { cache } = stored;
  if (token !== undefined) {
    if (token.revision < 0) return cache.current();
    return cache.keptSnapshot(token.revision) ?? (await stateAt(stored, prefix, token.revision, () => expiredToken(tokenAt(token.startKey, -1))));
  }
  const { resourceVersion, resourceVersionMatch, limit } = options;
  const exact = resourceVersionMatch === 'Exact' || (limit > 0 && resourceVersionMatch === '' && resourceVersion !== '' && resourceVersion !== '0');
  if (exact) {
    let revision: number;
    try {
      revision = parseRevision(resourceVersion)!;
    } catch {
      throw errors.badRequest(
        `invalid resource version: resourceVersion: Invalid value: ${JSON.stringify(resourceVersion)}: strconv.ParseUint: parsing ${JSON.stringify(resourceVersion)}: invalid syntax`,
      );
    }
    return revision === cache.revision ? cache.current() : stateAt(stored, prefix, revision, () => errors.expired(OLD_VERSION_TEXT));
  }
  await waitForRevision(stored, parseRevision(resourceVersion) ?? 0, wait);
  return cache.current();
}

/** Waits until the state is at least as new as `revision`. @throws ApiError 504 */
export async function waitForRevision(stored: StoredResource, revision: number, milliseconds: number): Promise<void> {
  const deadline = performance.now() + milliseconds;
  while (stored.cache.revision < revision) {
    const left = deadline - performance.now();
    if (left <= 0) throw errors.resourceVersionTooLarge(revision, stored.cache.revision);
    await new Promise((resolve) => setTimeout(resolve, Math.min(STEP, left)));
  }
}

/** A past state, read from the store's own history. */
async function stateAt(stored: StoredResource, prefix: string, revision: number, gone: () => Error): Promise<Snapshot> {
  try {
    const { entries } = await stored.storage.range({ start: prefix, end: prefixEnd(prefix), revision });
    const records = entries.map((entry) => CacheRecord.of(entry, stored.reader));
    return {
      revision,
      size: records.length,
      scan(start, end, visit) {
        for (const record of records) if (record.key >= start && record.key < end && visit(record) === false) return;
      },
      count: (start, end) => records.reduce((count, { key }) => (key >= start && key < end ? count + 1 : count), 0),
    };
  } catch (error) {
    if (error instanceof CompactedError) throw gone();
    if (error instanceof FutureRevisionError) throw futureRevision();
    throw error;
  }
}

/** @param next a token that goes on at the same place in the present state */
function expiredToken(next: string): Error {
  const error = errors.expired(EXPIRED_TEXT);
  error.continueToken = next;
  return error;
}

function collect(
  stored: StoredResource,
  snapshot: Snapshot,
  prefix: string,
  exactName: string | undefined,
  options: ListOptions,
  selection: Selection,
  token: ContinueToken | undefined,
  tokenAt: TokenMaker,
): ListState {
  const start = token?.startKey ?? prefix;
  const end = prefixEnd(prefix);
  // A list from the cache that names version 0 is served whole: the limit is only a wish.
  const limit = options.resourceVersion === '0' && token === undefined ? 0 : options.limit;
  const records: CacheRecord[] = [];
  let next: CacheRecord | undefined;
  const first = exactName === undefined ? start : maximum(start, exactName);
  snapshot.scan(first, exactName === undefined ? end : `${exactName}\0`, (record) => {
    // Whether a later object matches is not looked at: the next chunk may turn out empty, as with the reference.
    if (limit > 0 && records.length === limit) {
      next = record;
      return false;
    }
    if (selection.matches(record)) records.push(record);
    return undefined;
  });
  const revision = token !== undefined && token.revision > 0 ? token.revision : snapshot.revision;
  if (next === undefined || limit <= 0) return { records, revision, continueToken: '', remaining: undefined };
  const startKey = `${records.at(-1)!.key}\0`;
  if (snapshot.revision === stored.cache.revision) stored.cache.keepSnapshot();
  return {
    records,
    revision,
    continueToken: tokenAt(startKey, revision),
    remaining: selection.everything ? snapshot.count(startKey, end) : undefined,
  };
}

const maximum = (a: string, b: string): string => (a > b ? a : b);
