import type { MaybePromise } from '../../steps/steps.ts';
import type { Write } from './write.ts';

/**
 * Reserves addresses and ports and writes them into the object. As in kube-apiserver, a write through a subresource
 * reserves none, even if it creates the object.
 * Reads: old, view. Changes: object, reservations.
 * @throws ApiError
 */
export function reserve({ context, object, old, view, reservations }: Write): MaybePromise<void> {
  const { strategy } = context.resource;
  if (context.subresource !== '' || strategy.allocate === undefined) return;
  const allocation = strategy.allocate(object, old, view);
  if (!(allocation instanceof Promise)) return reservations.hold(allocation);
  return allocation.then((reserved) => reservations.hold(reserved));
}

/** Decides by the outcome of an attempt what becomes of its reservations. */
export function settleReservations({ outcome, reservations }: Write): MaybePromise<void> {
  switch (outcome?.state) {
    case 'stored':
      return reservations.kept();
    case 'unknown':
      return reservations.leftUnknown();
    default:
      // Another writer was faster, or nothing was sent: an error, a dry run, an unchanged object.
      return reservations.released();
  }
}

/** Releases the reservations of an object that was removed. */
export function releaseRemoved({ context, object }: Write): MaybePromise<void> {
  return context.resource.strategy.release?.(object);
}
