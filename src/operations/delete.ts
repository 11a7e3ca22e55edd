import type { DeleteOptions } from '../model/generated/meta-v1.ts';
import type { Life } from '../model/life.ts';
import type { KubernetesObject } from '../model/object.ts';
import { CorruptObjectError, wrapDecodeError } from '../resources/corrupt-object.ts';
import { errors, invalid } from '../status/index.ts';
import { recordSize } from '../steps/run.ts';
import { compareAndSwap, currentRecord } from './compare-and-swap.ts';
import type { OperationContext } from './environment.ts';
import { checkPathName } from './object-metadata.ts';
import { admitDeletion } from './stages/admit-deletion.ts';
import { checkDeletion } from './stages/check-deletion.ts';
import { commitDeletion, encodeMark } from './stages/commit-deletion.ts';
import { type DeleteRequest, type DeleteResult, Deletion } from './stages/deletion.ts';
import { loadDeleted } from './stages/load.ts';
import { endPending, prepareDeletion } from './stages/mark.ts';
import { attempt, type Stage } from './stages/run.ts';
import { known, transact } from './transact.ts';

const ATTEMPT: readonly Stage<Deletion>[] = [
  loadDeleted,
  checkDeletion,
  endPending,
  admitDeletion,
  prepareDeletion,
  encodeMark,
  commitDeletion,
];

/**
 * Deletes an object in two phases: sets deletionTimestamp while finalizers or a grace period delay the
 * removal, then removes it.
 * @param raw the options with kind and apiVersion, for admission
 * @param collected whether the object belongs to a collection that is deleted: admission then gets no name
 * @throws ApiError
 */
export async function remove(
  context: OperationContext,
  name: string,
  options: DeleteOptions,
  raw?: KubernetesObject,
  collected = false,
): Promise<DeleteResult> {
  const { stored, row, strategy } = context.resource;
  checkPathName(name);
  const rules = collected ? undefined : strategy.deletion?.byName;
  const request: DeleteRequest = { name, options, raw, collected, rules };
  const key = stored.key(context.namespace, name);
  return compareAndSwap<DeleteResult>(context, key, (record, leaveTurn) => {
    if (record === undefined) return Promise.reject(errors.notFound(row, name));
    recordSize(context.request, record.value.length);
    return attempt(new Deletion(context, request, record, leaveTurn), ATTEMPT);
  });
}

/**
 * Removes an object whose stored bytes cannot be decoded; ignores finalizers and preconditions.
 * @throws ApiError for an object that can be decoded
 */
export async function deleteCorruptObject(context: OperationContext, name: string): Promise<void> {
  const {
    resource: { stored, row },
  } = context;
  const key = stored.key(context.namespace, name);
  const record = await currentRecord(stored, key);
  try {
    if (record !== undefined) wrapDecodeError(key, record.value, () => stored.decode(record));
  } catch (error) {
    if (!(error instanceof CorruptObjectError)) throw error;
    if (context.dryRun) return;
    const outcome = known(await transact(context, { key, expected: record!.revision, value: undefined }));
    if (outcome.state === 'lost')
      throw errors.conflict(row, name, 'the object has been modified; please try again');
    return;
  }
  if (!context.request.scheme.has(DELETES_CORRUPT_AT_ONCE))
    throw errors.invalid({ group: row.group, kind: row.resource }, name, [
      invalid(
        'ignoreStoreReadErrorWithClusterBreakingPotential',
        true,
        'is exclusively used to delete corrupt object(s), try again by removing this option',
      ),
    ]);
  if (record === undefined) throw errors.notFound(row, name);
  throw errors.conflict(
    row,
    name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: unsafe deletion is not allowed because the object is decodable from storage`,
  );
}

/** The releases whose storage decides whether an object is corrupt, in the transaction that deletes it. */
const DELETES_CORRUPT_AT_ONCE: Life = { since: '1.37' };
