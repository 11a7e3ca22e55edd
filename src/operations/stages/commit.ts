import { CacheRecord } from '../../cache/record.ts';
import type { KnownState } from '../../cache/written-states.ts';
import type { Transaction } from '../../storage/storage.ts';
import { currentRecord } from '../compare-and-swap.ts';
import { toDryResult, toResult } from '../result.ts';
import { type KnownOutcome, known, transact } from '../transact.ts';
import type { Creation } from './creation.ts';
import { modified } from './preconditions.ts';
import { releaseRemoved } from './reserve.ts';
import type { Update, UpdateResult } from './update.ts';
import type { Write } from './write.ts';

/**
 * Stores a new object; a dry run only looks whether its key is free.
 * Reads: object, value, key, givenVersion. Changes: outcome, result: lost if another object has the key.
 * @throws ApiError, and the errors of the store
 */
export async function commitNew(write: Creation): Promise<void> {
  const { context, key, value } = write;
  const { stored, strategy } = context.resource;
  const fresh = stored.cache.waitFresh(0);
  if (fresh !== undefined) await fresh;
  if (context.dryRun) {
    const holder = await currentRecord(stored, key);
    write.result =
      holder === undefined
        ? { result: toDryResult(stored, key, shownVersion(write), value) }
        : { lost: { record: holder, revision: holder.revision } };
    return;
  }
  const timeToLiveSeconds = strategy.timeToLiveSeconds?.(write.object);
  const creation = { key, expected: 0, value, timeToLiveSeconds, unique: true };
  const outcome = await send(write, creation, 'Create etcd3');
  if (outcome.state === 'lost') {
    write.result = { lost: outcome.current };
    return;
  }
  const record = toResult(stored, key, outcome.revision, value);
  const written = { record, revision: outcome.revision };
  stored.cache.wrote(key, written);
  write.result = { result: record, stored: written };
}

/** A dry run shows the version that the client or admission set. */
const shownVersion = ({ givenVersion }: Creation): number =>
  /^\d{1,15}$/.test(givenVersion) ? Number(givenVersion) : 0;

/**
 * Stores a changed object, or removes the one that has lost its last finalizer.
 * Reads: object, record, value, removes, isConditional. Changes: outcome, result: lost if another writer was faster.
 * @throws ApiError 409 if the client named the version, and the errors of the store
 */
export async function commitChanged(write: Update): Promise<void> {
  const { context, object, record, value, removes } = write;
  const { stored, strategy } = context.resource;
  const { key, revision } = record;
  if (context.dryRun) {
    endUpdate(write, toDryResult(stored, key, revision, value));
    return;
  }
  const change = {
    key,
    expected: revision,
    value: removes ? undefined : value,
    timeToLiveSeconds: strategy.timeToLiveSeconds?.(object),
  };
  const outcome = await send(write, change, 'GuaranteedUpdate etcd3');
  if (outcome.state === 'lost') {
    // If the object was deleted, the next attempt reports that or creates it.
    if (write.isConditional && outcome.current.record !== undefined) throw modified(context, write.name);
    write.result = { lost: outcome.current };
    return;
  }
  if (write.droppedFields > 0) context.environment.droppedFields?.(context.resource, write.droppedFields);
  if (removes) return endRemoval(write, outcome.revision);
  const written = toResult(stored, key, outcome.revision, value);
  endUpdate(write, written, { record: written, revision: outcome.revision });
}

/** The response to the update that removed the last finalizer contains the object of the request. */
async function endRemoval(write: Update, revision: number): Promise<void> {
  const { context, object, record, value } = write;
  const { conversion, stored } = context.resource;
  await releaseRemoved(write);
  const answer =
    conversion.answered?.(object, record.key, record.revision) ??
    new CacheRecord(record.key, record.revision, value, stored.reader);
  endUpdate(write, answer, { record: undefined, revision });
}

function endUpdate(write: Write<UpdateResult>, record: CacheRecord, stored?: KnownState): void {
  write.result = { result: { record, created: false }, stored };
}

/**
 * Sends a transaction of a write and records its outcome, which decides what becomes of the reservations.
 * @throws the error after which the outcome is unknown, or with which the store refused
 */
export async function send(
  write: Write,
  transaction: Transaction,
  step?: Parameters<typeof transact>[2],
): Promise<KnownOutcome> {
  write.outcome = await transact(write.context, transaction, step);
  return known(write.outcome);
}
