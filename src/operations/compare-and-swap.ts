import { CacheRecord } from '../cache/record.ts';
import type { StoredResource } from '../registry/stored-resource.ts';
import type { RequestContext } from '../request/context.ts';
import type { StoredEntry } from '../storage/storage.ts';
import type { OperationContext } from './environment.ts';
import type { Turn, Waiting } from './writer-queue.ts';

/** What a key holds, as the store said at a revision. */
export interface KnownState {
  /** Undefined when the key holds nothing. */
  readonly record: CacheRecord | undefined;
  readonly revision: number;
}

/** How an attempt ended. */
export type AttemptResult<Result> =
  /** It is over; `stored` is what was written, if anything was. */
  | { readonly result: Result; readonly stored?: KnownState }
  /** Somebody else wrote in between; `lost` is what is there now. */
  | { readonly lost: KnownState };

/**
 * One attempt to change what `record` shows.
 * @param leaveProcess to be called before waiting for anything outside the process (webhooks, conversion,
 * authorizers): others write meanwhile
 */
export type Attempt<Result> = (
  record: CacheRecord | undefined,
  leaveProcess: () => void,
) => Promise<AttemptResult<Result>>;

const FIRST_PAUSE_MILLISECONDS = 2;
const LONGEST_PAUSE_MILLISECONDS = 250;

/**
 * Repeats an attempt until it is not lost to another writer. The first attempt is made at once; those who
 * lose queue for their turn, and begin with what their predecessor stored. Who had to leave the process in
 * its turn pauses before the next attempt.
 * @throws ApiError 504 past the request's deadline, 429 when too many wait for the key, and what the attempt
 * throws
 */
export async function compareAndSwap<Result>(
  context: OperationContext,
  key: string,
  attempt: Attempt<Result>,
): Promise<Result> {
  const { stored } = context.resource;
  const { writers } = context.environment;
  const waiting = waitingOf(context.request);
  await stored.cache.ready();
  let turn: Turn<KnownState> | undefined = writers.isReserved(key)
    ? await writers.take(key, waiting)
    : undefined;
  let known: KnownState | undefined = turn?.latest;
  try {
    for (let lost = 0; ; lost += 1) {
      const outcome = await attempt(newest(stored.cache.get(key), known), () => turn?.end());
      if ('result' in outcome) {
        turn?.end(outcome.stored);
        return outcome.result;
      }
      known = outcome.lost;
      writers.check(waiting);
      if (turn?.held === true) {
        turn.reserve();
        continue;
      }
      if (turn !== undefined)
        await writers.pause(
          Math.min(FIRST_PAUSE_MILLISECONDS << Math.min(lost, 16), LONGEST_PAUSE_MILLISECONDS),
          waiting,
        );
      turn = await writers.take(key, waiting);
      known = later(known, turn.latest);
    }
  } finally {
    turn?.end();
  }
}

/** What the store answers to a lost attempt. */
export function stateOf(
  stored: StoredResource,
  key: string,
  current: StoredEntry | undefined,
  revision: number,
): KnownState {
  if (current === undefined) return { record: undefined, revision };
  const cached = stored.cache.get(key);
  const record = cached?.revision === current.revision ? cached : CacheRecord.of(current, stored.reader);
  return { record, revision: current.revision };
}

/** The cache may lag behind what the store has answered already. */
function newest(cached: CacheRecord | undefined, known: KnownState | undefined): CacheRecord | undefined {
  if (known === undefined) return cached;
  return cached !== undefined && cached.revision >= known.revision ? cached : known.record;
}

const later = (one: KnownState, other: KnownState | undefined): KnownState =>
  other !== undefined && other.revision > one.revision ? other : one;

const waitingOf = ({ deadline, exchange }: RequestContext): Waiting => ({
  deadline,
  gone: () => exchange.closed || exchange.responded,
  onGone: (callback) => exchange.onFinished(callback),
});
