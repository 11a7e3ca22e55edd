import { unknownFieldCount } from '../../codec/protobuf.ts';
import type { KubernetesObject } from '../../model/object.ts';
import type { MaybePromise } from '../../steps/steps.ts';
import { checkNamespace } from '../object-metadata.ts';
import { recordObjectSize } from '../object-size.ts';
import { deduplicateOwnerReferences } from '../owner-references.ts';
import type { Deletion } from './deletion.ts';
import type { Update } from './update.ts';

/**
 * Decodes the stored object of an update.
 * Reads: record. Changes: old, droppedFields.
 * @throws CorruptObjectError, ApiError when a conversion fails
 */
export function loadOld(write: Update): MaybePromise<void> {
  const { context, record, request } = write;
  const { conversion } = context.resource;
  const unknown = unknownFieldCount();
  const loaded =
    (request.leavesCurrent === true ? conversion.loadShared?.(record) : undefined) ??
    conversion.load(record, context.request);
  write.droppedFields = unknownFieldCount() - unknown;
  if (!(loaded instanceof Promise)) {
    write.old = loaded;
    return;
  }
  write.leaveTurn?.();
  return loaded.then((old) => {
    write.old = old;
  });
}

/**
 * Computes the desired object from the stored one.
 * Reads: old, record. Changes: object.
 * @throws the errors of the request's transform, ApiError 400 for another namespace
 */
export async function transform(write: Update): Promise<void> {
  const { context, request } = write;
  const object = await request.transform(
    request.replaces === true ? undefined : await ownOld(write),
    write.record,
  );
  checkNamespace(object, context.namespace);
  if (request.replaces === true) deduplicateOwnerReferences(context, object, false);
  recordObjectSize(context.request, context.resource, object);
  write.object = object;
}

/** The stored object for a transform that may change it. */
function ownOld({ context, old, record, request }: Update): MaybePromise<KubernetesObject> {
  if (request.leavesCurrent === true) return old;
  return context.resource.conversion.load(record, context.request);
}

/**
 * Decodes the stored object of a deletion, which becomes the one with the mark.
 * Reads: record. Changes: object.
 * @throws CorruptObjectError, ApiError when a conversion fails
 */
export function loadDeleted(write: Deletion): MaybePromise<void> {
  const { context, record } = write;
  const loaded = context.resource.conversion.load(record, context.request);
  if (!(loaded instanceof Promise)) {
    write.object = loaded;
    return;
  }
  write.leaveTurn?.();
  return loaded.then((object) => {
    write.object = object;
  });
}
