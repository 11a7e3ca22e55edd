import type {
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimStatus,
} from '../../model/generated/core-v1.ts';
import { isSame } from '../../reconcile/equality.ts';
import {
  annotationOf,
  BIND_COMPLETED,
  BOUND_BY_CONTROLLER,
  withAnnotations,
} from '../../reconcile/volumes/annotations.ts';

/** On a volume whose file system is to grow: the capacity that the claim has until then. */
const CAPACITY_BEFORE_RESIZE = 'volume.alpha.kubernetes.io/pre-resize-capacity';

/** A claim that names its volume. @returns the same object if it does so already */
export function boundClaim(
  claim: PersistentVolumeClaim,
  { metadata }: PersistentVolume,
): PersistentVolumeClaim {
  const isChosen = claim.spec?.volumeName === metadata?.name;
  const isComplete = annotationOf(claim.metadata, BIND_COMPLETED) !== undefined;
  if (isChosen && isComplete) return claim;
  const byController = annotationOf(claim.metadata, BOUND_BY_CONTROLLER);
  return withAnnotations(
    { ...claim, spec: { ...claim.spec, ...(metadata?.name !== undefined && { volumeName: metadata.name }) } },
    { [BIND_COMPLETED]: 'yes', [BOUND_BY_CONTROLLER]: isChosen ? byController : (byController ?? 'yes') },
  );
}

/** The status of a claim without volume. @returns the same object if it is so already */
export function unboundStatus(
  status: PersistentVolumeClaimStatus,
  phase: 'Pending' | 'Lost',
): PersistentVolumeClaimStatus {
  const { accessModes: _, capacity: __, currentVolumeAttributesClassName: ___, ...rest } = status;
  const changed = { ...rest, phase };
  return isSame(changed, status) ? status : changed;
}

/**
 * The status of a claim that is bound to a volume. Its capacity is that of the volume from the time when it was bound.
 * @returns the same object if it is so already
 * @throws Error if the volume has no capacity
 */
export function boundStatus(
  status: PersistentVolumeClaimStatus,
  { metadata, spec = {} }: PersistentVolume,
): PersistentVolumeClaimStatus {
  const accessModes = spec.accessModes ?? [];
  let changed: PersistentVolumeClaimStatus = { ...status, phase: 'Bound', accessModes: [...accessModes] };
  if (status.phase !== 'Bound') {
    const storage = annotationOf(metadata, CAPACITY_BEFORE_RESIZE) ?? spec.capacity?.['storage'];
    if (storage === undefined)
      throw new Error(`PersistentVolume "${metadata?.name}" is without a storage capacity`);
    changed = { ...changed, capacity: { ...spec.capacity, storage } };
  }
  if (status.phase === 'Pending' && spec.volumeAttributesClassName !== undefined)
    changed = { ...changed, currentVolumeAttributesClassName: spec.volumeAttributesClassName };
  return isSame(changed, status) ? status : changed;
}

/** A volume that is free again, or waits again for the claim that a user chose for it. */
export function unboundVolume(volume: PersistentVolume): PersistentVolume {
  const { claimRef, ...spec } = volume.spec ?? {};
  if (annotationOf(volume.metadata, BOUND_BY_CONTROLLER) !== undefined)
    return withAnnotations({ ...volume, spec }, { [BOUND_BY_CONTROLLER]: undefined });
  const { uid: _, ...reference } = claimRef ?? {};
  return { ...volume, spec: { ...spec, claimRef: reference } };
}
