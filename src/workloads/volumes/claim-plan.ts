import type { PersistentVolume, PersistentVolumeClaim } from '../../model/generated/core-v1.ts';
import type { StorageClass } from '../../model/generated/storage-v1.ts';
import {
  annotationOf,
  BIND_COMPLETED,
  namesStorageClass,
  SELECTED_NODE,
  storageClassOf,
} from '../../reconcile/volumes/annotations.ts';
import {
  capacityOf,
  hasAccessModesOf,
  hasAttributesClassOf,
  hasModeOf,
  isReservedFor,
  wantedBytes,
} from '../../reconcile/volumes/matching-volume.ts';
import { bestVolume } from './best-volume.ts';
import { normal, type Report, warning } from './report.ts';

/** What decides about a claim. */
export interface ClaimView {
  volume(name: string): PersistentVolume | undefined;
  /** Volumes that are reserved for the claim, and free ones of its class. */
  candidates(claim: PersistentVolumeClaim): Iterable<PersistentVolume>;
  storageClass(name: string): StorageClass | undefined;
  /** The class of claims that name none. */
  defaultClass(): StorageClass | undefined;
  /** Names of pods that use the claim and have no node. */
  waitingPods(claim: PersistentVolumeClaim): readonly string[];
}

/** What brings a claim nearer to its volume. */
export type ClaimPlan =
  | { readonly does: 'bind'; readonly volume: PersistentVolume }
  /** It is pending. */
  | { readonly does: 'wait'; readonly report?: Report }
  /** Its volume is gone for ever. */
  | { readonly does: 'lose'; readonly report: Report }
  | { readonly does: 'assign'; readonly storageClass: string }
  | { readonly does: 'provision'; readonly storageClass: StorageClass | undefined };

/** Decides what happens to a claim. */
export const planClaim = (claim: PersistentVolumeClaim, view: ClaimView): ClaimPlan =>
  annotationOf(claim.metadata, BIND_COMPLETED) === undefined
    ? planUnbound(claim, view)
    : planBound(claim, view);

function planUnbound(claim: PersistentVolumeClaim, view: ClaimView): ClaimPlan {
  const volumeName = claim.spec?.volumeName ?? '';
  if (volumeName !== '') return planRequested(claim, view.volume(volumeName));
  const className = storageClassOf(claim);
  const storageClass = className === '' ? undefined : view.storageClass(className);
  const isDelayed = storageClass?.volumeBindingMode === 'WaitForFirstConsumer';
  const volume = bestVolume(claim, view.candidates(claim), isDelayed);
  if (volume !== undefined) return { does: 'bind', volume };
  const assigned = namesStorageClass(claim) ? undefined : view.defaultClass()?.metadata?.name;
  if (assigned !== undefined) return { does: 'assign', storageClass: assigned };
  if (isDelayed && annotationOf(claim.metadata, SELECTED_NODE) === undefined)
    return { does: 'wait', report: waitingForConsumer(view.waitingPods(claim)) };
  if (className !== '') return { does: 'provision', storageClass };
  return {
    does: 'wait',
    report: normal(
      'FailedBinding',
      'no persistent volumes available for this claim and no storage class is set',
    ),
  };
}

function waitingForConsumer(pods: readonly string[]): Report {
  if (pods.length === 0)
    return normal('WaitForFirstConsumer', 'waiting for first consumer to be created before binding');
  return normal(
    'WaitForPodScheduled',
    `waiting for pod${pods.length > 1 ? 's' : ''} ${pods.join()} to be scheduled`,
  );
}

/** A claim that names the volume that it wants. */
function planRequested(claim: PersistentVolumeClaim, volume: PersistentVolume | undefined): ClaimPlan {
  if (volume === undefined) return { does: 'wait' };
  if (isReservedFor(volume, claim)) return { does: 'bind', volume };
  const name = volume.metadata?.name;
  if (volume.spec?.claimRef !== undefined)
    return {
      does: 'wait',
      report: warning('FailedBinding', `volume "${name}" already bound to a different claim.`),
    };
  const problem = mismatch(claim, volume);
  if (problem === undefined) return { does: 'bind', volume };
  return {
    does: 'wait',
    report: warning('VolumeMismatch', `Cannot bind to requested volume "${name}": ${problem}`),
  };
}

/** Why a volume that a claim names cannot be bound to it. */
function mismatch(claim: PersistentVolumeClaim, volume: PersistentVolume): string | undefined {
  if (volume.metadata?.deletionTimestamp !== undefined)
    return `the volume is marked for deletion "${volume.metadata.name}"`;
  if (capacityOf(volume) < wantedBytes(claim)) return 'requested PV is too small';
  if (storageClassOf(volume) !== storageClassOf(claim)) return 'storageClassName does not match';
  if (!hasAttributesClassOf(volume, claim)) return 'volumeAttributesClassName does not match';
  if (!hasModeOf(volume, claim)) return 'incompatible volumeMode';
  return hasAccessModesOf(volume, claim) ? undefined : 'incompatible accessMode';
}

/** A claim that was bound once. */
function planBound({ metadata, spec }: PersistentVolumeClaim, view: ClaimView): ClaimPlan {
  const lost = (what: string): ClaimPlan => ({
    does: 'lose',
    report: warning('ClaimLost', `Bound claim has lost ${what}. Data on the volume is lost!`),
  });
  const volumeName = spec?.volumeName ?? '';
  if (volumeName === '') return lost('reference to PersistentVolume');
  const volume = view.volume(volumeName);
  if (volume === undefined) return lost('its PersistentVolume');
  const reference = volume.spec?.claimRef;
  if (reference === undefined || reference.uid === metadata?.uid) return { does: 'bind', volume };
  return {
    does: 'lose',
    report: warning(
      'ClaimMisbound',
      'Two claims are bound to the same volume, this one is bound incorrectly',
    ),
  };
}
