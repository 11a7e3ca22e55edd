import type { PersistentVolume, PersistentVolumeClaim } from '../../model/generated/core-v1.ts';
import { nodeSelectorMatcher, type SelectableNode } from '../../reconcile/nodes/node-selector.ts';
import { amountOf } from '../objects/amounts.ts';
import { labelMatcher } from '../objects/label-matcher.ts';
import { storageClassOf } from './claims.ts';

/** Whether a volume can be used on a node. */
export function isUsableOn({ spec }: PersistentVolume, node: SelectableNode): boolean {
  const required = spec?.nodeAffinity?.required;
  // The names of nodes are not known where a volume's affinity is judged.
  return required === undefined || nodeSelectorMatcher(required)({ name: '', labels: node.labels });
}

/** Bytes that a claim wants. */
export const wantedBytes = ({ spec }: PersistentVolumeClaim): number =>
  amountOf('storage', spec?.resources?.requests?.['storage'] ?? '0');

const capacityOf = ({ spec }: PersistentVolume): number =>
  amountOf('storage', spec?.capacity?.['storage'] ?? '0');

/** Whether a volume names a claim as its own. */
export function isReservedFor({ spec }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean {
  const reference = spec?.claimRef;
  if (reference === undefined) return false;
  const { name, namespace, uid } = metadata ?? {};
  return (
    reference.name === name &&
    reference.namespace === namespace &&
    ((reference.uid ?? '') === '' || reference.uid === uid)
  );
}

/**
 * The volume for a claim on a node: one that is reserved for it, else the smallest that is large enough, available and
 * of the class. A reserved volume that the node cannot use leaves none.
 * @param taken names of volumes that other claims of the pod get
 */
export function matchingVolume(
  claim: PersistentVolumeClaim,
  volumes: Iterable<PersistentVolume>,
  node: SelectableNode,
  taken: ReadonlySet<string>,
): PersistentVolume | undefined {
  let smallest: PersistentVolume | undefined;
  for (const volume of volumes) {
    if (taken.has(volume.metadata?.name ?? '')) continue;
    const isReserved = isReservedFor(volume, claim);
    if ((volume.spec?.claimRef !== undefined && !isReserved) || !suits(volume, claim)) continue;
    if (isReserved) return isUsableOn(volume, node) ? volume : undefined;
    if (!isFreeFor(volume, claim) || !isUsableOn(volume, node)) continue;
    if (smallest === undefined || capacityOf(volume) < capacityOf(smallest)) smallest = volume;
  }
  return smallest;
}

/** What also a volume that is reserved for the claim has to be. */
function suits(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const { volumeMode = 'Filesystem', volumeAttributesClassName = '' } = volume.spec ?? {};
  return (
    capacityOf(volume) >= wantedBytes(claim) &&
    volumeMode === (claim.spec?.volumeMode ?? 'Filesystem') &&
    volumeAttributesClassName === (claim.spec?.volumeAttributesClassName ?? '') &&
    volume.metadata?.deletionTimestamp === undefined
  );
}

function isFreeFor(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const { selector, accessModes = [] } = claim.spec ?? {};
  return (
    volume.status?.phase === 'Available' &&
    (selector === undefined || labelMatcher(selector).matches(volume.metadata?.labels ?? {})) &&
    storageClassOf(volume) === storageClassOf(claim) &&
    accessModes.every((mode) => volume.spec?.accessModes?.includes(mode) === true)
  );
}
