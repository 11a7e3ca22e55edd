import { runInTurns } from '../../steps/run.ts';
import type { MaybePromise } from '../../steps/steps.ts';
import { onlyTimesDiffer } from '../same-object.ts';
import type { Update } from './update.ts';
import type { Write } from './write.ts';

/**
 * Encodes the object for the store.
 * Reads: object. Changes: value.
 * @throws ApiError when a conversion fails
 */
export function encode(write: Write): MaybePromise<void> {
  const { context, object } = write;
  const value = context.resource.conversion.store(object, context.request);
  return value instanceof Promise ? value.then((encoded) => keep(write, encoded)) : keep(write, value);
}

function keep(write: Write, value: Uint8Array): MaybePromise<void> {
  const { request, resource } = write.context;
  write.value = value;
  const steps = resource.stored.preparing(value);
  return steps === undefined ? undefined : runInTurns(request.turns, steps);
}

/**
 * Ends an update whose bytes equal the stored ones: nothing is written and the version stays, unless the stored form
 * is outdated or the object goes.
 * Reads: object, old, record, value. Changes: removes, result.
 */
export async function endUnchanged(write: Update): Promise<void> {
  const { record, request } = write;
  const { storage } = write.context.resource.stored;
  write.removes = isRemoval(write);
  if (
    !write.removes &&
    request.alwaysWrites?.() !== true &&
    (Buffer.compare(write.value, record.value) === 0 || (await timesDiffer(write))) &&
    !record.isOutdated &&
    (storage.isStale === undefined || !(await storage.isStale(record.key)))
  )
    write.result = { result: { record, created: false } };
}

const timesDiffer = ({ context, object, old, record }: Update): Promise<boolean> =>
  onlyTimesDiffer(context, object, old, record);

/** Whether nothing delays the removal of a deleted object any more: no finalizer, no running grace period. */
function isRemoval({ context, object, old }: Update): boolean {
  if (old.metadata!.deletionTimestamp === undefined) return false;
  const { finalizers = [], deletionGracePeriodSeconds = 0 } = object.metadata!;
  if (finalizers.length > 0 || deletionGracePeriodSeconds !== 0) return false;
  return context.resource.strategy.deletion?.isFinalized?.(object) ?? true;
}
