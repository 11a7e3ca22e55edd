import { toleratesUnschedulable } from '../../reconcile/nodes/taints.ts';
import type { RuleName } from '../filters/filter.ts';
import { type AffinityTerm, isAboutNamespace } from '../objects/affinity-terms.ts';
import { disksConflict } from '../objects/conflicting-disks.ts';
import { UsedPorts } from '../objects/host-ports.ts';
import { NO_LABELS } from '../objects/label-matcher.ts';
import type { PendingPod } from '../objects/pending-pod.ts';
import type { PodInfo } from '../objects/pod-info.ts';
import type { ResourceAmounts } from '../objects/resource-amounts.ts';
import { spreadConstraints } from '../objects/spread-constraints.ts';
import type { EventOf } from './cluster-event.ts';

type Hint<Kind extends 'pod' | 'self'> = (pod: PendingPod, event: EventOf<Kind>) => boolean;

/** Whether the change of a pod on a node may help a pod that a rule rejected. */
export const POD_HINTS: Partial<Record<RuleName, Hint<'pod'>>> = {
  NodeResourcesFit: (_pod, { before, after }) =>
    before !== undefined && (after === undefined || takesLess(before.requests, after.requests)),
  NodePorts: ({ info }, { before, after }) => after === undefined && freesPorts(before!, info),
  VolumeRestrictions: ({ info }, { before, after }) => after === undefined && freesVolumes(before!, info),
  NodeVolumeLimits: (_pod, { before, after }) => after === undefined && before!.claims.length > 0,
  PodTopologySpread: changesSpread,
  InterPodAffinity: changesAffinity,
};

/** Whether a change of the pod itself may help it. */
export const SELF_HINTS: Partial<Record<RuleName, Hint<'self'>>> = {
  SchedulingGates: (_pod, { after }) => after!.gates.length === 0,
  NodeUnschedulable: (_pod, { before, after }) =>
    hasNewToleration(before!, after!) && toleratesUnschedulable(after!.tolerations),
  TaintToleration: (_pod, { before, after }) => hasNewToleration(before!, after!),
  NodeResourcesFit: (_pod, { before, after }) => takesLess(before!.info.requests, after!.info.requests),
  PodTopologySpread: (_pod, { before, after }) =>
    hasNewToleration(before!, after!) || hasNewLabels(before!, after!),
  InterPodAffinity: (_pod, { before, after }) => hasNewLabels(before!, after!),
  DynamicResources: (_pod, { before, after }) =>
    JSON.stringify(before!.resourceClaimStatuses) !== JSON.stringify(after!.resourceClaimStatuses),
};

const hasNewToleration = (before: PendingPod, after: PendingPod): boolean =>
  before.tolerations.length !== after.tolerations.length;

const hasNewLabels = (before: PendingPod, after: PendingPod): boolean =>
  JSON.stringify(before.info.labels) !== JSON.stringify(after.info.labels);

function takesLess(before: ResourceAmounts, after: ResourceAmounts): boolean {
  if (after.milliCpu < before.milliCpu || after.memory < before.memory) return true;
  if (after.ephemeralStorage < before.ephemeralStorage) return true;
  for (const [name, amount] of before.scalars ?? [])
    if ((after.scalars?.get(name) ?? 0) < amount) return true;
  return false;
}

function freesPorts({ hostPorts }: PodInfo, pod: PodInfo): boolean {
  const used = new UsedPorts();
  for (const port of hostPorts) used.change(port, 1);
  return pod.hostPorts.some((port) => used.conflicts(port));
}

const freesVolumes = (gone: PodInfo, pod: PodInfo): boolean =>
  pod.disks.some((disk) => gone.disks.some((used) => disksConflict(disk, used))) ||
  (gone.namespace === pod.namespace &&
    pod.claims.some(({ name }) => gone.claims.some((used) => used.name === name)));

/** Whether a pod begins or ceases to count for the constraints of another. */
function changesSpread(pod: PendingPod, { before, after }: EventOf<'pod'>): boolean {
  const { namespace } = pod.info;
  if ((after ?? before)!.namespace !== namespace) return false;
  return spreadConstraints(pod, 'DoNotSchedule').some(
    ({ selector }) =>
      (before !== undefined && selector.matches(before.labels)) !==
      (after !== undefined && selector.matches(after.labels)),
  );
}

/**
 * Whether a pod becomes one that another wants near, or ceases to be one that keeps it away. A pod that wants its like
 * near may be the first of them when there are no others.
 */
function changesAffinity({ info }: PendingPod, { before, after }: EventOf<'pod'>): boolean {
  const { requiredNear = [], requiredFar = [] } = info.affinity ?? {};
  const isWanted = (other: PodInfo | undefined): boolean =>
    other !== undefined && requiredNear.length > 0 && requiredNear.every((term) => isAbout(term, other));
  const keepsAway = (other: PodInfo | undefined): boolean =>
    other !== undefined &&
    (requiredFar.some((term) => isAbout(term, other)) ||
      (other.affinity?.requiredFar ?? []).some((term) => isAbout(term, info)));
  const [was, is] = [isWanted(before), isWanted(after)];
  return (!was && is) || (was && !is && isWanted(info)) || (keepsAway(before) && !keepsAway(after));
}

/** Namespaces that are selected by labels may all be meant. */
const isAbout = (term: AffinityTerm, { namespace, labels }: PodInfo): boolean =>
  (isAboutNamespace(term, namespace, NO_LABELS) || term.namespaceSelector.key !== '!') &&
  term.selector.matches(labels);
