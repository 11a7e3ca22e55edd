import { disksConflict } from '../objects/conflicting-disks.ts';
import type { PendingPod } from '../objects/pending-pod.ts';
import type { PodInfo } from '../objects/pod-info.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { NodeState } from '../state/node-state.ts';
import { claimNotFound } from '../volumes/claims.ts';
import { DOES_NOT_APPLY, impossible, type NodeCheck, type Rejection, type Rule, unfit } from './filter.ts';

const DISK_CONFLICT = unfit('VolumeRestrictions', 'node(s) had no available disk');
const CLAIM_IN_USE = unfit(
  'VolumeRestrictions',
  'node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode',
);

/** Disks that pods of a node cannot share, and claims that one pod of the cluster uses alone. */
export const volumeRestrictions: Rule = (pod, { state, volumes }) => {
  const { claims, disks, namespace } = pod.info;
  if (claims.length === 0 && disks.length === 0) return DOES_NOT_APPLY;
  const exclusive = new Set<string>();
  for (const { name, isEphemeral } of claims) {
    if (isEphemeral) continue;
    const claim = volumes.claim(namespace, name);
    if (claim === undefined) return { rejection: impossible('VolumeRestrictions', claimNotFound(name)) };
    if (claim.spec?.accessModes?.includes('ReadWriteOncePod') === true) exclusive.add(name);
  }
  const check = new RestrictionCheck(pod, exclusive, state);
  return disks.length === 0 && !check.isInUse ? DOES_NOT_APPLY : { check };
};

class RestrictionCheck implements NodeCheck {
  readonly rule = 'VolumeRestrictions';
  readonly #pod: PodInfo;
  readonly #exclusive: ReadonlySet<string>;
  #users: number;

  constructor({ info }: PendingPod, exclusive: ReadonlySet<string>, state: ClusterState) {
    this.#pod = info;
    this.#exclusive = exclusive;
    this.#users = 0;
    for (const name of exclusive) this.#users += state.claimUsers(`${info.namespace}/${name}`);
  }

  get isInUse(): boolean {
    return this.#users > 0;
  }

  check({ pods }: NodeState): Rejection | undefined {
    for (const disk of this.#pod.disks)
      for (const other of pods)
        if (other.disks.some((used) => disksConflict(disk, used))) return DISK_CONFLICT;
    return this.isInUse ? CLAIM_IN_USE : undefined;
  }

  podChanged({ namespace, claims }: PodInfo, _node: NodeState, delta: 1 | -1): void {
    if (namespace !== this.#pod.namespace) return;
    for (const { name, isEphemeral } of claims)
      if (!isEphemeral && this.#exclusive.has(name)) this.#users += delta;
  }
}
