import type { PersistentVolume, PersistentVolumeClaim } from '../../model/generated/core-v1.ts';
import type { NamedClaim } from '../objects/pod-claims.ts';
import type { PodInfo } from '../objects/pod-info.ts';
import type { VolumeView } from './volume-view.ts';

const BETA_CLASS = 'volume.beta.kubernetes.io/storage-class';
const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';

/** The storage class that a claim or volume names; empty without one. */
export function storageClassOf({ metadata, spec }: PersistentVolumeClaim | PersistentVolume): string {
  return metadata?.annotations?.[BETA_CLASS] ?? spec?.storageClassName ?? '';
}

/** Whether the binding of a claim is complete. */
export const isFullyBound = ({ metadata, spec }: PersistentVolumeClaim): boolean =>
  (spec?.volumeName ?? '') !== '' && Object.hasOwn(metadata?.annotations ?? {}, BIND_COMPLETED);

/** Whether the scheduler binds the claims of a class, once it knows the node. */
export const waitsForConsumer = (claim: PersistentVolumeClaim, volumes: VolumeView): boolean =>
  volumes.storageClass(storageClassOf(claim))?.volumeBindingMode === 'WaitForFirstConsumer';

/** Why the claim of an ephemeral volume does not belong to the pod; undefined if it does. */
export function foreignClaim(
  { namespace, name, uid }: PodInfo,
  claim: PersistentVolumeClaim,
): string | undefined {
  const controller = claim.metadata?.ownerReferences?.find(({ controller }) => controller === true);
  if (controller?.uid === uid) return undefined;
  return `PVC ${namespace}/${claim.metadata?.name} was not created for pod ${namespace}/${name} (pod is not owner)`;
}

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
