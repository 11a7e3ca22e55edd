import type { PersistentVolumeClaim } from '../../model/generated/core-v1.ts';
import type { CSINode } from '../../model/generated/storage-v1.ts';
import { storageClassOf } from '../../reconcile/volumes/annotations.ts';
import { foreignClaim } from '../../reconcile/volumes/pod-claims.ts';
import type { PodInfo } from '../objects/pod-info.ts';
import type { NodeState } from '../state/node-state.ts';
import { presentClaims } from '../volumes/claims.ts';
import type { VolumeView } from '../volumes/volume-view.ts';
import { DOES_NOT_APPLY, type Rejection, type Rule, unfit } from './filter.ts';

const TOO_MANY = unfit('NodeVolumeLimits', 'node(s) exceed max volume count');

/** A node takes no more volumes of a driver than its CSINode says. A volume counts once, however many pods use it. */
export const volumeLimits: Rule = ({ info }, { volumes }) => {
  const wanted = volumesOf(info, volumes);
  if (wanted.size === 0) return DOES_NOT_APPLY;
  return {
    check: { rule: 'NodeVolumeLimits', check: (node) => checkNode(wanted, node, volumes) },
  };
};

function checkNode(
  wanted: ReadonlyMap<string, string>,
  node: NodeState,
  volumes: VolumeView,
): Rejection | undefined {
  const limits = limitsOf(volumes.csiNode(node.name));
  if (limits.size === 0) return undefined;
  const attached = new Map<string, string>();
  for (const pod of node.pods)
    for (const [volume, driver] of volumesOf(pod, volumes)) attached.set(volume, driver);
  const added = new Map([...wanted].filter(([volume]) => !attached.has(volume)));
  for (const [volume, driver] of attachedVolumes(node.name, volumes)) attached.set(volume, driver);
  const counts = countByDriver(attached);
  for (const [driver, count] of countByDriver(added)) {
    const limit = limits.get(driver);
    if (limit !== undefined && (counts.get(driver) ?? 0) + count > limit) return TOO_MANY;
  }
  return undefined;
}

const NO_VOLUMES: ReadonlyMap<string, string> = new Map();

/** The CSI volumes that a pod uses, with their drivers. */
function volumesOf(pod: PodInfo, volumes: VolumeView): ReadonlyMap<string, string> {
  if (pod.claims.length === 0) return NO_VOLUMES;
  const found = new Map<string, string>();
  for (const [{ isEphemeral }, claim] of presentClaims(pod, volumes)) {
    if (isEphemeral && foreignClaim(pod, claim) !== undefined) continue;
    const [driver, handle] = csiVolumeOf(claim, volumes);
    if (driver !== '' && handle !== '') found.set(`${driver}/${handle}`, driver);
  }
  return found;
}

/** Driver and handle of a claim's volume; one that is still to be made counts for the driver of its class. */
function csiVolumeOf(
  claim: PersistentVolumeClaim,
  volumes: VolumeView,
): readonly [driver: string, handle: string] {
  const volume = volumes.volume(claim.spec?.volumeName ?? '');
  if (volume !== undefined) {
    const { driver = '', volumeHandle = '' } = volume.spec?.csi ?? {};
    return [driver, volumeHandle];
  }
  const { provisioner = '' } = volumes.storageClass(storageClassOf(claim)) ?? {};
  const { namespace, name } = claim.metadata ?? {};
  // No handle of a driver begins with a blank.
  return [provisioner, ` ${namespace}/${name}`];
}

function* attachedVolumes(
  node: string,
  volumes: VolumeView,
): Generator<readonly [volume: string, driver: string], void> {
  for (const { spec } of volumes.attachmentsOf(node)) {
    const { attacher = '', source } = spec ?? {};
    const csi = volumes.volume(source?.persistentVolumeName ?? '')?.spec?.csi;
    if (attacher !== '' && csi !== undefined) yield [`${attacher}/${csi.volumeHandle}`, attacher];
  }
}

function limitsOf(node: CSINode | undefined): ReadonlyMap<string, number> {
  const limits = new Map<string, number>();
  for (const { name = '', allocatable } of node?.spec?.drivers ?? [])
    if (allocatable?.count !== undefined) limits.set(name, allocatable.count);
  return limits;
}

function countByDriver(volumes: ReadonlyMap<string, string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const driver of volumes.values()) counts.set(driver, (counts.get(driver) ?? 0) + 1);
  return counts;
}
