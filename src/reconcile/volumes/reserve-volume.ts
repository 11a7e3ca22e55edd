import type {
  ObjectReference,
  PersistentVolume,
  PersistentVolumeClaim,
} from '../../model/generated/core-v1.ts';
import { annotationOf, BOUND_BY_CONTROLLER, withAnnotations } from './annotations.ts';
import { isReservedFor } from './matching-volume.ts';

/** A reference to a claim, as volumes have it. */
export function claimReference({ metadata }: PersistentVolumeClaim): ObjectReference {
  const { namespace, name, uid, resourceVersion } = metadata ?? {};
  return {
    kind: 'PersistentVolumeClaim',
    apiVersion: 'v1',
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}

/**
 * A volume that is reserved for a claim: it names the claim with its uid, and says that a controller chose it unless a
 * user did. @returns the same object if it is so already
 */
export function reserveVolume(volume: PersistentVolume, claim: PersistentVolumeClaim): PersistentVolume {
  const isChosen = isReservedFor(volume, claim);
  const isComplete = isChosen && volume.spec?.claimRef?.uid === claim.metadata?.uid;
  if (isComplete) return volume;
  const reserved = { ...volume, spec: { ...volume.spec, claimRef: claimReference(claim) } };
  return isChosen || annotationOf(volume.metadata, BOUND_BY_CONTROLLER) !== undefined
    ? reserved
    : withAnnotations(reserved, { [BOUND_BY_CONTROLLER]: 'yes' });
}
