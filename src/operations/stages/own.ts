import type { MaybePromise } from '../../steps/steps.ts';
import { wipeServerMetadata } from '../object-metadata.ts';
import { recordObjectSize } from '../object-size.ts';
import { deduplicateOwnerReferences } from '../owner-references.ts';
import type { Creation } from './creation.ts';
import type { Write } from './write.ts';

/** Removes from a new object what only the server sets. Changes: object. */
export function clean({ context, object }: Creation): void {
  wipeServerMetadata(object);
  deduplicateOwnerReferences(context, object, false);
  recordObjectSize(context.request, context.resource, object);
}

/**
 * Records in `managedFields` who owns what the client sent.
 * Reads: old. Changes: object.
 */
export function recordOwners({ context, object, old }: Write): MaybePromise<void> {
  const { ownership } = context.environment;
  return old === undefined ? ownership.created(context, object) : ownership.updated(context, object, old);
}
