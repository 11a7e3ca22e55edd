import type { PersistentVolume, PersistentVolumeClaim } from '../../model/generated/core-v1.ts';
import type { StorageClass } from '../../model/generated/storage-v1.ts';
import { amountOf } from '../../reconcile/amounts.ts';
import type { SelectableNode } from '../../reconcile/nodes/node-selector.ts';
import { annotationOf, SELECTED_NODE, storageClassOf } from '../../reconcile/volumes/annotations.ts';
import { isUsableOn, matchingVolume, wantedBytes } from '../../reconcile/volumes/matching-volume.ts';
import { type Labels, labelMatcher, labelOf } from '../objects/label-matcher.ts';
import type { VolumeView } from './volume-view.ts';

/** A volume that a claim gets. */
export interface VolumeBinding {
  readonly volume: PersistentVolume;
  readonly claim: PersistentVolumeClaim;
}

/** What has to happen to the claims of a pod if it uses a node. */
export interface VolumePlan {
  readonly bindings: readonly VolumeBinding[];
  /** Claims whose driver makes the volume, once it knows the node. */
  readonly provisioned: readonly PersistentVolumeClaim[];
}

/** The claims of a pod. */
export interface SortedClaims {
  readonly bound: readonly PersistentVolumeClaim[];
  /** They wait for a pod that uses them; the smallest first. */
  readonly waiting: readonly PersistentVolumeClaim[];
}

/** Volumes of such a class are made by hand. */
const NO_PROVISIONER = 'kubernetes.io/no-provisioner';

export const VOLUME_REASONS = {
  otherNodes: 'node(s) had volume node affinity conflict',
  noVolume: "node(s) didn't find available persistent volumes to bind",
  noSpace: 'node(s) did not have enough free storage',
  lost: 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)',
} as const;

/** A plan, or why the node cannot be used. */
export type PlanResult = { readonly plan: VolumePlan } | { readonly reasons: readonly string[] };

/** Decides where the claims of a pod get their volumes from if it uses a node. */
export function planVolumes(
  { bound, waiting }: SortedClaims,
  node: SelectableNode,
  volumes: VolumeView,
): PlanResult {
  const problem = boundProblem(bound, node, volumes);
  const result = planWaiting(waiting, node, volumes);
  if (problem === undefined) return result;
  const others = 'reasons' in result ? result.reasons : [];
  return { reasons: problem === VOLUME_REASONS.lost ? [...others, problem] : [problem, ...others] };
}

function boundProblem(
  claims: readonly PersistentVolumeClaim[],
  node: SelectableNode,
  volumes: VolumeView,
): string | undefined {
  for (const { spec } of claims) {
    const volume = volumes.volume(spec?.volumeName ?? '');
    if (volume === undefined) return VOLUME_REASONS.lost;
    if (!isUsableOn(volume, node)) return VOLUME_REASONS.otherNodes;
  }
  return undefined;
}

function planWaiting(
  claims: readonly PersistentVolumeClaim[],
  node: SelectableNode,
  volumes: VolumeView,
): PlanResult {
  const bindings: VolumeBinding[] = [];
  const taken = new Set<string>();
  const chosen: PersistentVolumeClaim[] = [];
  const unmatched: PersistentVolumeClaim[] = [];
  for (const claim of claims) {
    const selected = annotationOf(claim.metadata, SELECTED_NODE);
    if (selected !== undefined) {
      if (selected !== node.name) return { reasons: [VOLUME_REASONS.noVolume] };
      chosen.push(claim);
      continue;
    }
    const volume = matchingVolume(claim, volumes.volumesOfClass(storageClassOf(claim)), { node, taken });
    if (volume === undefined) unmatched.push(claim);
    else {
      taken.add(volume.metadata?.name ?? '');
      bindings.push({ volume, claim });
    }
  }
  const provisioned = [...chosen, ...unmatched];
  for (const claim of provisioned) {
    const reason = provisionProblem(claim, node, volumes);
    if (reason !== undefined) return { reasons: [reason] };
  }
  return { plan: { bindings, provisioned } };
}

/** Why no volume can be made for a claim on a node. */
function provisionProblem(
  claim: PersistentVolumeClaim,
  node: SelectableNode,
  volumes: VolumeView,
): string | undefined {
  const storageClass = volumes.storageClass(storageClassOf(claim));
  const { provisioner = '' } = storageClass ?? {};
  if (storageClass === undefined || provisioner === '' || provisioner === NO_PROVISIONER)
    return VOLUME_REASONS.noVolume;
  if (!isAllowedTopology(storageClass, node.labels)) return VOLUME_REASONS.noVolume;
  return hasSpace(claim, storageClass, node.labels, volumes) ? undefined : VOLUME_REASONS.noSpace;
}

function isAllowedTopology({ allowedTopologies = [] }: StorageClass, labels: Labels): boolean {
  if (allowedTopologies.length === 0) return true;
  return allowedTopologies.some(
    ({ matchLabelExpressions = [] }) =>
      matchLabelExpressions.length > 0 &&
      matchLabelExpressions.every(({ key = '', values = [] }) => {
        const value = labelOf(labels, key);
        return value !== undefined && values.includes(value);
      }),
  );
}

/** Drivers that say how much storage they have must have enough of it for the node. */
function hasSpace(
  claim: PersistentVolumeClaim,
  { metadata, provisioner = '' }: StorageClass,
  labels: Labels,
  volumes: VolumeView,
): boolean {
  if (claim.spec?.resources?.requests?.['storage'] === undefined) return true;
  if (volumes.csiDriver(provisioner)?.spec?.storageCapacity !== true) return true;
  const wanted = wantedBytes(claim);
  for (const { storageClassName, capacity, maximumVolumeSize, nodeTopology } of volumes.capacities()) {
    const limit = maximumVolumeSize ?? capacity;
    if (storageClassName !== metadata?.name || limit === undefined) continue;
    if (amountOf('storage', limit) >= wanted && labelMatcher(nodeTopology).matches(labels)) return true;
  }
  return false;
}
