import type { DeletionByName, DeletionStrategy } from '../../kinds/strategy.ts';
import type { DeleteOptions } from '../../model/generated/meta-v1.ts';
import { type KubernetesObject, nextGeneration, type ObjectMeta } from '../../model/object.ts';
import { formatTime } from '../../model/time.ts';
import type { OperationContext } from '../environment.ts';
import type { Deletion } from './deletion.ts';

const FINALIZER_ORPHAN = 'orphan';
const FINALIZER_FOREGROUND = 'foregroundDeletion';

/**
 * Ends a deletion that changes nothing and is not admitted: another one is under way and is not shortened.
 * Reads: object, record. Changes: result.
 */
export function endPending(write: Deletion): void {
  const { context, object, record, request } = write;
  if (isPending(context.resource.strategy.deletion, object, request.options))
    write.result = { result: { record, removed: false } };
}

function isPending(
  deletion: DeletionStrategy | undefined,
  object: KubernetesObject,
  { gracePeriodSeconds }: DeleteOptions,
): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds: running } = object.metadata!;
  if (deletionTimestamp === undefined) return false;
  if (deletion?.isFinalized?.(object) === false) return true;
  if (deletion?.gracePeriodSeconds === undefined || running === undefined || running === 0) return false;
  return gracePeriodSeconds === undefined || gracePeriodSeconds >= running;
}

/**
 * Marks the object as being deleted and decides whether it is removed or only marked. Ends a deletion that changes
 * nothing.
 * Reads: record. Changes: object, removes, marks, result.
 */
export function prepareDeletion(write: Deletion): void {
  const { context, object, record } = write;
  const { deletion } = context.resource.strategy;
  const metadata = object.metadata!;
  // Checked before the mark: a namespace is removed only after finalization.
  const ownFinalized = deletion?.isFinalized?.(object) ?? true;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  const changed = mark(write);
  write.removes =
    ownFinalized &&
    (metadata.finalizers ?? []).length === 0 &&
    (metadata.deletionGracePeriodSeconds ?? 0) === 0;
  if (!write.removes) {
    write.marks = changed;
    if (!changed) write.result = { result: { record, removed: false } };
    return;
  }
  // A kind with a grace period is marked first, even if the period is 0: watchers get the mark in a
  // separate event. A further deletion is seen only if it shortens the period.
  write.marks =
    deletion?.gracePeriodSeconds !== undefined &&
    (deletionTimestamp === undefined || deletionGracePeriodSeconds !== metadata.deletionGracePeriodSeconds);
}

/** Sets deletionTimestamp, grace period and finalizers. True if the object changed. */
function mark({ context, object, request }: Deletion): boolean {
  const { environment, resource } = context;
  const { deletion } = resource.strategy;
  const { options, rules } = request;
  const metadata = object.metadata!;
  const setFinalizer = (): boolean =>
    environment.garbageCollection && setDependentsFinalizer(object, options, deletion);
  if (rules?.mark !== undefined)
    return markOnce(object, formatTime(environment.now()), rules.mark, setFinalizer);
  const changed = setFinalizer();
  if (metadata.deletionTimestamp !== undefined)
    return shortenGracePeriod(metadata, context, options) || changed;
  const requested = deletion?.gracePeriodSeconds?.(object, options.gracePeriodSeconds) ?? 0;
  const grace = requested < 0 ? 1 : requested;
  metadata.deletionTimestamp = formatTime(environment.now() + grace * 1000);
  metadata.deletionGracePeriodSeconds = grace;
  if ((metadata.generation ?? 0) > 0) metadata.generation = nextGeneration(metadata.generation);
  deletion?.prepare?.(object);
  return true;
}

/** A running grace period can only be shortened; see {@link isPending}. True if the object changed. */
function shortenGracePeriod(
  metadata: ObjectMeta,
  { environment, resource }: OperationContext,
  { gracePeriodSeconds }: DeleteOptions,
): boolean {
  const running = metadata.deletionGracePeriodSeconds;
  if (resource.strategy.deletion?.gracePeriodSeconds === undefined || running === undefined || running === 0)
    return false;
  const grace = gracePeriodSeconds! < 0 ? 1 : gracePeriodSeconds!;
  const remaining = new Date(metadata.deletionTimestamp!).getTime() - running * 1000;
  metadata.deletionTimestamp = formatTime(Math.max(remaining + grace * 1000, environment.now()));
  metadata.deletionGracePeriodSeconds = grace;
  return true;
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
  { defaultPropagation, byName }: DeletionStrategy = {},
): boolean {
  const metadata = object.metadata!;
  const isFirst = metadata.deletionTimestamp === undefined;
  const unorphaned = (isFirst ? byName?.unorphanedPropagation : undefined) ?? 'Background';
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
