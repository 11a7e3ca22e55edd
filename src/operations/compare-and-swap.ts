import { CacheRecord } from '../cache/record.ts';
import type { KnownState } from '../cache/written-states.ts';
import type { RequestContext } from '../request/context.ts';
import { CorruptObjectError } from '../resources/corrupt-object.ts';
import type { StoredResource } from '../resources/stored-resource.ts';
import { ApiError } from '../status/index.ts';
import type { StoredEntry } from '../storage/storage.ts';
import type { OperationContext } from './environment.ts';
import type { Turn, Waiting } from './writer-queue.ts';

/** The outcome of an attempt. */
export type AttemptResult<Result> =
  /**
   * Finished; `stored` is what was written. Without it nothing was written, and the result is valid only if
   * the record was the latest.
   */
  | { readonly result: Result; readonly stored?: KnownState }
  /** Another writer was faster; `lost` is the current state. */
  | { readonly lost: KnownState };

/**
 * One attempt to change `record`.
 * @param beforeExternalCall call it before waiting for anything outside the process (webhooks, conversion,
 *   authorizers), so that other writers can proceed
 */
export type Attempt<Result> = (
  record: CacheRecord | undefined,
  beforeExternalCall: () => void,
) => Promise<AttemptResult<Result>>;

const FIRST_PAUSE_MILLISECONDS = 2;
const LONGEST_PAUSE_MILLISECONDS = 250;

/**
 * Repeats an attempt until it does not conflict with another writer. The first attempt runs at once, from
 * the record that is known here; writers that lose wait in a queue and start from the state that the
 * previous writer stored. A writer that called a webhook or an authorizer during its turn backs off before
 * the next attempt. An outcome without a write is computed again from one read of the store, unless its
 * record was current.
 * @throws ApiError 504 past the request's deadline, 429 if too many writers wait for the key, and the errors
 *   of the attempt
 */
export async function compareAndSwap<Result>(
  context: OperationContext,
  key: string,
  attempt: Attempt<Result>,
): Promise<Result> {
  const { stored } = context.resource;
  const { writers } = context.environment;
  const waiting = waitingOf(context.request);
  await stored.cache.waitFresh(0);
  let turn: Turn<KnownState> | undefined = writers.isReserved(key)
    ? await writers.take(key, waiting)
    : undefined;
  let known: KnownState | undefined = turn?.latest;
  // Whether the known state was current at a time after the request began.
  let current = stored.storage.immediate !== undefined;
  try {
    for (let lost = 0; ; lost += 1) {
      const base = newest(stored.cache.baseOf(key), known);
      const attempted = attempt(base, () => turn?.end());
      const outcome = await (current ? attempted : outcomeOf(attempted));
      if (!current && !('lost' in outcome) && !('stored' in outcome && outcome.stored !== undefined)) {
        known = await readState(stored, key);
        current = true;
        if (known.record?.revision !== base?.revision) continue;
      }
      if ('error' in outcome) throw outcome.error;
      if ('result' in outcome) {
        if (outcome.stored !== undefined) stored.cache.wrote(key, outcome.stored);
        turn?.end(outcome.stored);
        return outcome.result;
      }
      known = outcome.lost;
      current = true;
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

/** The outcome of an attempt, with an error that may rest on the record as a value. */
async function outcomeOf<Result>(
  attempt: Promise<AttemptResult<Result>>,
): Promise<AttemptResult<Result> | { readonly error: unknown }> {
  try {
    return await attempt;
  } catch (error) {
    if ((error instanceof ApiError && error.code < 500) || error instanceof CorruptObjectError)
      return { error };
    throw error;
  }
}

/** The state of a key in the store now. */
export async function readState(stored: StoredResource, key: string): Promise<KnownState> {
  const { entry, revision } = await stored.storage.get(key);
  return stateOf(stored, key, entry, revision);
}

/** The current record of a key: from the cache if that is always up to date, else from the store. */
export async function currentRecord(stored: StoredResource, key: string): Promise<CacheRecord | undefined> {
  await stored.cache.waitFresh(0);
  return stored.storage.immediate === undefined
    ? (await readState(stored, key)).record
    : stored.cache.get(key);
}

/** The state that the store returned for a lost attempt. */
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

/** The newest known record; the cache may lag behind the store's responses. */
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
