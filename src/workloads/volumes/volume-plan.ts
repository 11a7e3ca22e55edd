import type { PersistentVolume, PersistentVolumeClaim } from '../../model/generated/core-v1.ts';
import { annotationOf, PROVISIONED_BY, withAnnotations } from '../../reconcile/volumes/annotations.ts';
import { hasModeOf } from '../../reconcile/volumes/matching-volume.ts';
import { driverOf, isInTree, MIGRATED_TO } from './plugins.ts';
import { type Report, warning } from './report.ts';
import { DRIVER_FINALIZER, isSimulatedVolume } from './simulated-volume.ts';

/** What brings a volume to the phase that it should have. */
export type VolumePlan =
  | { readonly does: 'enter'; readonly phase: 'Available' | 'Bound' }
  /** Its claim is gone: what happens to it is its reclaim policy's. */
  | { readonly does: 'release' }
  /** Its claim has another volume. */
  | { readonly does: 'unbind' }
  /** Its claim is to be bound to it. */
  | { readonly does: 'bindClaim' }
  /** It can never be bound to its claim. */
  | { readonly does: 'refuse'; readonly report: Report; readonly claimReport: Report };

/**
 * Decides what happens to a volume.
 * @param claim the one that the volume names, by namespace and name
 */
export function planVolume(
  { metadata, spec = {} }: PersistentVolume,
  claim: PersistentVolumeClaim | undefined,
): VolumePlan {
  const reference = spec.claimRef;
  if (reference === undefined || (reference.uid ?? '') === '') return { does: 'enter', phase: 'Available' };
  if (claim === undefined || claim.metadata?.uid !== reference.uid) return { does: 'release' };
  const volumeName = claim.spec?.volumeName ?? '';
  if (volumeName === '')
    return hasModeOf({ spec }, claim) ? { does: 'bindClaim' } : refusal(metadata?.name, claim);
  if (volumeName === metadata?.name) return { does: 'enter', phase: 'Bound' };
  const isMade = annotationOf(metadata, PROVISIONED_BY) !== undefined;
  return { does: isMade && spec.persistentVolumeReclaimPolicy === 'Delete' ? 'release' : 'unbind' };
}

const refusal = (name: string | undefined, { metadata }: PersistentVolumeClaim): VolumePlan => ({
  does: 'refuse',
  report: warning(
    'VolumeMismatch',
    `Cannot bind PersistentVolume to requested PersistentVolumeClaim "${metadata?.name}" due to incompatible volumeMode.`,
  ),
  claimReport: warning(
    'VolumeMismatch',
    `Cannot bind PersistentVolume "${name}" to requested PersistentVolumeClaim due to incompatible volumeMode.`,
  ),
});

/** Keeps a volume that a plugin of Kubernetes has made until its storage is deleted. */
const PLUGIN_FINALIZER = 'kubernetes.io/pv-controller';

/**
 * A volume with the annotation and finalizers that what has made it asks for. The storage of a volume is deleted before
 * the volume if its reclaim policy says so. @returns the same object if it has them already
 */
export function settledVolume(volume: PersistentVolume): PersistentVolume {
  const provisioner = annotationOf(volume.metadata, PROVISIONED_BY);
  if (provisioner === undefined) return volume;
  const driver = driverOf(provisioner);
  const annotated =
    annotationOf(volume.metadata, MIGRATED_TO) === driver
      ? volume
      : withAnnotations(volume, { [MIGRATED_TO]: driver });
  if (isSimulatedVolume(volume)) return withFinalizer(annotated, DRIVER_FINALIZER, isDeletedBy(volume));
  if (driver !== undefined) return withFinalizer(annotated, PLUGIN_FINALIZER, false);
  if (!isInTree(provisioner)) return annotated;
  const kept = withFinalizer(annotated, PLUGIN_FINALIZER, isDeletedBy(volume));
  return withFinalizer(kept, DRIVER_FINALIZER, false);
}

const isDeletedBy = ({ spec }: PersistentVolume): boolean => spec?.persistentVolumeReclaimPolicy === 'Delete';

/** A volume with or without a finalizer. @returns the same object if it is so already */
function withFinalizer(volume: PersistentVolume, finalizer: string, wanted: boolean): PersistentVolume {
  const finalizers = volume.metadata?.finalizers ?? [];
  // No finalizer can be added to what is being deleted.
  if (
    finalizers.includes(finalizer) === wanted ||
    (wanted && volume.metadata?.deletionTimestamp !== undefined)
  )
    return volume;
  const changed = wanted ? [...finalizers, finalizer] : finalizers.filter((one) => one !== finalizer);
  return { ...volume, metadata: { ...volume.metadata, finalizers: changed } };
}

/** A volume whose storage is deleted. @returns the same object if nothing has kept it */
export const withoutStorage = (volume: PersistentVolume): PersistentVolume =>
  withFinalizer(volume, isSimulatedVolume(volume) ? DRIVER_FINALIZER : PLUGIN_FINALIZER, false);
