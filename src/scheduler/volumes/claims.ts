import type { PersistentVolumeClaim } from '../../model/generated/core-v1.ts';
import { annotationOf, BIND_COMPLETED, storageClassOf } from '../../reconcile/volumes/annotations.ts';
import type { NamedClaim } from '../../reconcile/volumes/pod-claims.ts';
import type { PodInfo } from '../objects/pod-info.ts';
import type { VolumeView } from './volume-view.ts';

/** Whether the binding of a claim is complete. */
export const isFullyBound = ({ metadata, spec }: PersistentVolumeClaim): boolean =>
  (spec?.volumeName ?? '') !== '' && annotationOf(metadata, BIND_COMPLETED) !== undefined;

/** Whether the scheduler binds the claims of a class, once it knows the node. */
export const waitsForConsumer = (claim: PersistentVolumeClaim, volumes: VolumeView): boolean =>
  volumes.storageClass(storageClassOf(claim))?.volumeBindingMode === 'WaitForFirstConsumer';

export const claimNotFound = (name: string): string => `persistentvolumeclaim "${name}" not found`;

/** The claims of a pod that exist. */
export function* presentClaims(
  { namespace, claims }: PodInfo,
  volumes: VolumeView,
): Generator<readonly [named: NamedClaim, claim: PersistentVolumeClaim], void> {
  for (const named of claims) {
    const claim = volumes.claim(namespace, named.name);
    if (claim !== undefined) yield [named, claim];
  }
}
