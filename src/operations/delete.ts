import { CacheRecord } from '../cache/record.ts';
import { type KubernetesObject, nextGeneration } from '../model/object.ts';
import { formatTime } from '../model/time.ts';
import { CorruptObjectError, wrapDecodeError } from '../registry/corrupt-object.ts';
import type { DeletionByName, Strategy } from '../registry/strategy.ts';
import { errors, invalid } from '../status/index.ts';
import { pauseIfLarge, recordSize } from '../steps/run.ts';
import { type AttemptResult, compareAndSwap, currentRecord, stateOf } from './compare-and-swap.ts';
import type { DeleteOptions } from './delete-options.ts';
import { type AdmittedDeletion, admitDeletion, completeOptions, isPending } from './deletion-admission.ts';
import { checkPreconditions } from './deletion-preconditions.ts';
import { type OperationContext, strategyContext } from './environment.ts';
import { checkPathName } from './object-metadata.ts';
import { toDryResult, toResult } from './result.ts';
import { transact } from './transact.ts';

const FINALIZER_ORPHAN = 'orphan';
const FINALIZER_FOREGROUND = 'foregroundDeletion';

export interface DeleteResult {
  /** The object as last stored, or as deleted. */
  readonly record: CacheRecord;
  /** False while finalizers or a grace period delay the removal. */
  readonly removed: boolean;
}

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
  const {
    resource: { stored, row, strategy },
  } = context;
  checkPathName(name);
  const deletion: Deletion = {
    name,
    options,
    raw,
    admittedName: collected ? '' : name,
    rules: collected ? undefined : strategy.deletionByName,
  };
  return compareAndSwap<DeleteResult>(
    context,
    stored.key(context.namespace, name),
    async (record, beforeExternalCall) => {
      if (record === undefined) throw errors.notFound(row, name);
      return removeOnce(context, record, deletion, beforeExternalCall);
    },
  );
}

/** The name, the options and the rules of one deletion. */
interface Deletion {
  readonly name: string;
  readonly options: DeleteOptions;
  /** The options with kind and apiVersion, for admission. */
  readonly raw: KubernetesObject | undefined;
  /** The name that admission sees. */
  readonly admittedName: string;
  /** The kind's own rules, where they hold. */
  readonly rules: DeletionByName | undefined;
}

/** One attempt. */
async function removeOnce(
  context: OperationContext,
  record: CacheRecord,
  deletion: Deletion,
  beforeExternalCall: () => void,
): Promise<AttemptResult<DeleteResult>> {
  const { options, raw, admittedName, rules } = deletion;
  const { resource, environment, dryRun } = context;
  const { row, stored, strategy } = resource;
  recordSize(context.request, record.value.length);
  await pauseIfLarge(context.request);
  const loaded = resource.conversion.load(record, context.request);
  if (loaded instanceof Promise) beforeExternalCall();
  const object = await loaded;
  checkPreconditions(context, record, object, deletion);
  const view = strategyContext(context);
  rules?.check?.(object, view);
  await pauseIfLarge(context.request);
  if (isPending(strategy, object, options)) return { result: { record, removed: false } };
  if (environment.admission.leavesProcess?.('DELETE', row.group, row.resource, '') === true)
    beforeExternalCall();
  const seen = {
    name: admittedName,
    options: admittedName === '' ? raw : completeOptions(strategy, object, options, raw),
  };
  await admitDeletion(context, record, seen);
  // Checked before the mark: a namespace is removed only after finalization.
  const ownFinalized = strategy.isFinalized?.(object) ?? true;
  const { deletionTimestamp, deletionGracePeriodSeconds } = object.metadata!;
  const marked = mark(context, object, deletion);
  const finalized = (object.metadata!.finalizers ?? []).length === 0 && ownFinalized;
  if (finalized && (object.metadata!.deletionGracePeriodSeconds ?? 0) === 0) {
    // A kind with a grace period is marked first, even if the period is 0: watchers get the mark in a
    // separate event. A further deletion is seen only if it shortens the period.
    const showsMark =
      strategy.gracePeriodSeconds !== undefined &&
      (deletionTimestamp === undefined ||
        deletionGracePeriodSeconds !== object.metadata!.deletionGracePeriodSeconds);
    const shown = showsMark ? await resource.conversion.store(object, context.request) : undefined;
    if (dryRun)
      return {
        result: {
          record: shown === undefined ? record : toDryResult(stored, record.key, record.revision, shown),
          removed: true,
        },
      };
    return removeNow(context, record, object, shown, seen);
  }
  if (!marked) return { result: { record, removed: false } };
  await pauseIfLarge(context.request);
  const value = await resource.conversion.store(object, context.request);
  if (dryRun)
    return {
      result: { record: toDryResult(stored, record.key, record.revision, value), removed: false },
    };
  const outcome = await transact(context, {
    key: record.key,
    expected: record.revision,
    value,
    timeToLiveSeconds: strategy.timeToLiveSeconds?.(object),
  });
  if (!outcome.succeeded) return { lost: stateOf(stored, record.key, outcome.current, outcome.revision) };
  const written = toResult(stored, record.key, outcome.revision, value);
  return {
    result: { record: written, removed: false },
    stored: { record: written, revision: outcome.revision },
  };
}

/**
 * Removes an object without delay.
 * @param mark the object with deletionTimestamp, if that is stored first; admission then sees it, too
 */
async function removeNow(
  context: OperationContext,
  { key, revision, value }: CacheRecord,
  object: KubernetesObject,
  mark: Uint8Array | undefined,
  admitted: AdmittedDeletion,
): Promise<AttemptResult<DeleteResult>> {
  const { stored, strategy } = context.resource;
  const removedAt = (at: number): AttemptResult<DeleteResult> => ({
    result: { record: new CacheRecord(key, at, mark ?? value, stored.reader), removed: true },
    stored: { record: undefined, revision: at },
  });
  let expected = revision;
  if (mark !== undefined) {
    const marked = await transact(context, {
      key,
      expected,
      value: mark,
      timeToLiveSeconds: strategy.timeToLiveSeconds?.(object),
    });
    if (!marked.succeeded) return { lost: stateOf(stored, key, marked.current, marked.revision) };
    expected = marked.revision;
    await admitDeletion(context, toResult(stored, key, expected, mark), admitted);
  }
  const removed = await transact(context, { key, expected, value: undefined });
  if (!removed.succeeded) {
    // Another writer removed the object after the mark: the deletion is complete.
    if (mark !== undefined && removed.current === undefined) return removedAt(expected);
    return { lost: stateOf(stored, key, removed.current, removed.revision) };
  }
  await strategy.release?.(object);
  return removedAt(removed.revision);
}

/** Sets the deletion mark, grace period and finalizer for dependents; false if nothing changed. */
function mark(
  { resource: { strategy }, environment }: OperationContext,
  object: KubernetesObject,
  { options, rules }: Deletion,
): boolean {
  const metadata = object.metadata!;
  const setFinalizer = (): boolean =>
    environment.garbageCollection && setDependentsFinalizer(object, options, strategy);
  if (rules?.mark !== undefined)
    return markOnce(object, formatTime(environment.now()), rules.mark, setFinalizer);
  const already = metadata.deletionTimestamp !== undefined;
  const running = metadata.deletionGracePeriodSeconds;
  let grace = strategy.gracePeriodSeconds?.(object, options.gracePeriodSeconds) ?? 0;
  let changed = setFinalizer();
  if (already) {
    // A running grace period can only be shortened; see isPending.
    if (strategy.gracePeriodSeconds === undefined || running === undefined || running === 0) return changed;
    grace = options.gracePeriodSeconds! < 0 ? 1 : options.gracePeriodSeconds!;
    const remaining = new Date(metadata.deletionTimestamp!).getTime() - running * 1000;
    metadata.deletionTimestamp = formatTime(Math.max(remaining + grace * 1000, environment.now()));
    metadata.deletionGracePeriodSeconds = grace;
    return true;
  }
  if (grace < 0) grace = 1;
  metadata.deletionTimestamp = formatTime(environment.now() + grace * 1000);
  metadata.deletionGracePeriodSeconds = grace;
  if ((metadata.generation ?? 0) > 0) metadata.generation = nextGeneration(metadata.generation);
  strategy.prepareForDeletion?.(object);
  changed = true;
  return changed;
}

/**
 * Marks an object that the server cleans up. A second deletion adds a grace period of zero and the finalizer for
 * dependents, as for others.
 */
function markOnce(
  object: KubernetesObject,
  now: string,
  begin: NonNullable<DeletionByName['mark']>,
  setFinalizer: () => boolean,
): boolean {
  const metadata = object.metadata!;
  if (metadata.deletionTimestamp === undefined) {
    metadata.deletionTimestamp = now;
    begin(object, now);
    return true;
  }
  const changed = setFinalizer();
  if (metadata.deletionGracePeriodSeconds !== undefined) return changed;
  metadata.deletionGracePeriodSeconds = 0;
  return true;
}

/**
 * Adds or removes the finalizer with which the garbage collector orphans dependents or deletes them first.
 * True if the list changed.
 */
function setDependentsFinalizer(
  object: KubernetesObject,
  { propagationPolicy, orphanDependents }: DeleteOptions,
  { defaultPropagation, deletionByName }: Strategy,
): boolean {
  const metadata = object.metadata!;
  const isFirst = metadata.deletionTimestamp === undefined;
  const unorphaned = (isFirst ? deletionByName?.unorphanedPropagation : undefined) ?? 'Background';
  const before = metadata.finalizers ?? [];
  // Objects without dependents are deleted alone, whatever their finalizers and the client say.
  const requestedPolicy =
    (defaultPropagation === 'None' ? defaultPropagation : propagationPolicy) ??
    (orphanDependents === undefined ? undefined : orphanDependents ? 'Orphan' : unorphaned);
  const has = (finalizer: string) => before.includes(finalizer);
  const policy =
    requestedPolicy ??
    (has(FINALIZER_ORPHAN) ? 'Orphan' : has(FINALIZER_FOREGROUND) ? 'Foreground' : defaultPropagation);
  const finalizer =
    policy === 'Orphan' ? FINALIZER_ORPHAN : policy === 'Foreground' ? FINALIZER_FOREGROUND : undefined;
  const after = before.filter((one) => one !== FINALIZER_ORPHAN && one !== FINALIZER_FOREGROUND);
  if (finalizer !== undefined) after.push(finalizer);
  if (after.length === before.length && (finalizer === undefined || has(finalizer))) return false;
  metadata.finalizers = after;
  return true;
}

/**
 * Removes an object whose stored bytes cannot be decoded; ignores finalizers and preconditions. It tries a
 * normal deletion first and continues only if that fails on corrupt bytes.
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
    const outcome = await transact(context, { key, expected: record!.revision, value: undefined });
    if (!outcome.succeeded)
      throw errors.conflict(row, name, 'the object has been modified; please try again');
    return;
  }
  throw errors.invalid({ group: row.group, kind: row.resource }, name, [
    invalid(
      'ignoreStoreReadErrorWithClusterBreakingPotential',
      true,
      'is exclusively used to delete corrupt object(s), try again by removing this option',
    ),
  ]);
}
