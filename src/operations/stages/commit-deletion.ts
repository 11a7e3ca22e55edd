import { CacheRecord } from '../../cache/record.ts';
import type { MaybePromise } from '../../steps/steps.ts';
import { toDryResult, toResult } from '../result.ts';
import { admitRecord } from './admit-deletion.ts';
import { send } from './commit.ts';
import type { Deletion } from './deletion.ts';
import { encode } from './encode.ts';
import { releaseRemoved } from './reserve.ts';

/** Encodes the marked object where the mark is stored. Reads: object, marks. Changes: value. */
export const encodeMark = (write: Deletion): MaybePromise<void> => (write.marks ? encode(write) : undefined);

/**
 * Stores the mark, if there is one, and removes the object if nothing delays that.
 * Reads: object, record, value, marks, removes. Changes: outcome, result: lost if another writer was faster.
 * @throws ApiError, and the errors of the store
 */
export function commitDeletion(write: Deletion): MaybePromise<void> {
  const { context, record, marks, removes } = write;
  if (!context.dryRun) return marks ? commitMark(write) : removeRecord(write, record);
  write.result = { result: { record: marks ? dryResult(write) : record, removed: removes } };
}

async function commitMark(write: Deletion): Promise<void> {
  const marked = await storeMark(write);
  if (marked !== undefined && write.removes) await removeRecord(write, marked);
}

const dryResult = ({ context, record, value }: Deletion): CacheRecord =>
  toDryResult(context.resource.stored, record.key, record.revision, value);

/** The record of the marked object; undefined if another writer was faster. Admission sees it before a removal. */
async function storeMark(write: Deletion): Promise<CacheRecord | undefined> {
  const { context, object, record, value } = write;
  const { stored, strategy } = context.resource;
  const { key, revision: expected } = record;
  const timeToLiveSeconds = strategy.timeToLiveSeconds?.(object);
  const outcome = await send(write, { key, expected, value, timeToLiveSeconds });
  if (outcome.state === 'lost') {
    write.result = { lost: outcome.current };
    return undefined;
  }
  const { revision } = outcome;
  const marked = toResult(stored, key, revision, value);
  if (write.removes) await admitRecord(write, marked);
  else write.result = { result: { record: marked, removed: false }, stored: { record: marked, revision } };
  return marked;
}

/** Removes a state of the object. */
async function removeRecord(write: Deletion, { key, revision: expected }: CacheRecord): Promise<void> {
  const outcome = await send(write, { key, expected, value: undefined });
  if (outcome.state === 'stored') {
    await releaseRemoved(write);
    endRemoved(write, outcome.revision);
  } else if (write.marks && outcome.current.record === undefined)
    // Another writer removed the object after the mark: the deletion is complete.
    endRemoved(write, expected);
  else write.result = { lost: outcome.current };
}

/** @param revision of the removal */
function endRemoved(write: Deletion, revision: number): void {
  const { context, record, marks } = write;
  const { key } = record;
  const removed = new CacheRecord(
    key,
    revision,
    marks ? write.value : record.value,
    context.resource.stored.reader,
  );
  write.result = {
    result: { record: removed, removed: true },
    stored: { record: undefined, revision },
  };
}
