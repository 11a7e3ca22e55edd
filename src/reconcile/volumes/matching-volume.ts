import type { PersistentVolume, PersistentVolumeClaim } from '../../model/generated/core-v1.ts';
import { labelSelectorMatches } from '../../model/object-label-selector.ts';
import { amountOf } from '../amounts.ts';
import { nodeSelectorMatcher, type SelectableNode } from '../nodes/node-selector.ts';
import { storageClassOf } from './annotations.ts';

/** Whether a volume can be used on a node. */
export function isUsableOn({ spec }: PersistentVolume, node: SelectableNode): boolean {
  const required = spec?.nodeAffinity?.required;
  // The names of nodes are not known where a volume's affinity is judged.
  return required === undefined || nodeSelectorMatcher(required)({ name: '', labels: node.labels });
}

/** Bytes that a claim wants. */
export const wantedBytes = ({ spec }: PersistentVolumeClaim): number =>
  amountOf('storage', spec?.resources?.requests?.['storage'] ?? '0');

/** Bytes that a volume has. */
export const capacityOf = ({ spec }: PersistentVolume): number =>
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

export const hasModeOf = ({ spec }: PersistentVolume, claim: PersistentVolumeClaim): boolean =>
  (spec?.volumeMode ?? 'Filesystem') === (claim.spec?.volumeMode ?? 'Filesystem');

export const hasAttributesClassOf = ({ spec }: PersistentVolume, claim: PersistentVolumeClaim): boolean =>
  (spec?.volumeAttributesClassName ?? '') === (claim.spec?.volumeAttributesClassName ?? '');

/** Whether a volume has all the access modes that a claim wants. */
export const hasAccessModesOf = ({ spec }: PersistentVolume, claim: PersistentVolumeClaim): boolean =>
  (claim.spec?.accessModes ?? []).every((mode) => spec?.accessModes?.includes(mode) === true);

/** Where a volume is looked for. */
export interface MatchPlace {
  /** The node that is to use it; none if any node may. */
  readonly node?: SelectableNode;
  /** Names of volumes that other claims of the pod get. */
  readonly taken?: ReadonlySet<string>;
  /** Only a volume that is reserved for the claim counts. */
  readonly onlyReserved?: boolean;
}

/**
 * The volume for a claim: one that is reserved for it, else the smallest that is large enough, available and of the
 * class. A reserved volume that the node cannot use leaves none.
 */
export function matchingVolume(
  claim: PersistentVolumeClaim,
  volumes: Iterable<PersistentVolume>,
  { node, taken, onlyReserved = false }: MatchPlace,
): PersistentVolume | undefined {
  const isUsable = (volume: PersistentVolume): boolean => node === undefined || isUsableOn(volume, node);
  let smallest: PersistentVolume | undefined;
  for (const volume of volumes) {
    if (taken?.has(volume.metadata?.name ?? '') === true) continue;
    const isReserved = isReservedFor(volume, claim);
    if ((volume.spec?.claimRef !== undefined && !isReserved) || !suits(volume, claim)) continue;
    if (isReserved) return isUsable(volume) ? volume : undefined;
    if (onlyReserved || !isFreeFor(volume, claim) || !isUsable(volume)) continue;
    if (smallest === undefined || capacityOf(volume) < capacityOf(smallest)) smallest = volume;
  }
  return smallest;
}

/** What also a volume that is reserved for the claim has to be. */
const suits = (volume: PersistentVolume, claim: PersistentVolumeClaim): boolean =>
  capacityOf(volume) >= wantedBytes(claim) &&
  hasModeOf(volume, claim) &&
  hasAttributesClassOf(volume, claim) &&
  volume.metadata?.deletionTimestamp === undefined;

function isFreeFor(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const selector = claim.spec?.selector;
  return (
    volume.status?.phase === 'Available' &&
    (selector === undefined || labelSelectorMatches(selector, volume.metadata?.labels)) &&
    storageClassOf(volume) === storageClassOf(claim) &&
    hasAccessModesOf(volume, claim)
  );
}
