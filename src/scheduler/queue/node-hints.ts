import { untoleratedTaint } from '../../reconcile/nodes/taints.ts';
import type { RuleName } from '../filters/filter.ts';
import { missing } from '../filters/resources-fit.ts';
import { labelOf } from '../objects/label-matcher.ts';
import type { NodeInfo } from '../objects/node-info.ts';
import type { PendingPod } from '../objects/pending-pod.ts';
import { hasAllDomains, type SpreadConstraint, spreadConstraints } from '../objects/spread-constraints.ts';
import { NodeState } from '../state/node-state.ts';
import type { EventOf } from './cluster-event.ts';

type Hint = (pod: PendingPod, event: EventOf<'node'>) => boolean;

/** Whether the change of a node may help a pod that a rule rejected. */
export const NODE_HINTS: Partial<Record<RuleName, Hint>> = {
  NoNodes: isAdded,
  NodePorts: isAdded,
  VolumeRestrictions: isAdded,
  NodeVolumeLimits: isAdded,
  NodeUnschedulable: (_pod, { before, after }) =>
    after?.isUnschedulable === false && (before === undefined || before.isUnschedulable),
  TaintToleration: ({ tolerations }, { before, after }) =>
    after !== undefined &&
    untoleratedTaint(after.taints, tolerations) === undefined &&
    (before === undefined || untoleratedTaint(before.taints, tolerations) !== undefined),
  NodeAffinity: ({ requiredNodes }, { before, after }) =>
    after !== undefined &&
    requiredNodes?.(after) !== false &&
    (before === undefined || requiredNodes?.(before) === false),
  NodeResourcesFit: (pod, { before, after }) =>
    after !== undefined && fitsAlone(pod, after) && (before === undefined || hasGrown(pod, before, after)),
  VolumeBinding: isAddedOrRelabelled,
  VolumeZone: isAddedOrRelabelled,
  DynamicResources: isAddedOrRelabelled,
  InterPodAffinity: (pod, event) => event.after === undefined || isAddedOrRelabelled(pod, event),
  PodTopologySpread: changesSpread,
};

function isAdded(_pod: PendingPod, { before, after }: EventOf<'node'>): boolean {
  return before === undefined && after !== undefined;
}

function isAddedOrRelabelled(_pod: PendingPod, { before, after }: EventOf<'node'>): boolean {
  return after !== undefined && (before === undefined || !isEqual(before.labels, after.labels));
}

/** Whether the node without any pods is large enough. */
function fitsAlone({ info }: PendingPod, node: NodeInfo): boolean {
  const empty = new NodeState(node.name);
  empty.info = node;
  return missing(info, empty).length === 0;
}

function hasGrown({ info: { requests } }: PendingPod, before: NodeInfo, after: NodeInfo): boolean {
  if (after.allowedPods > before.allowedPods) return true;
  const [small, large] = [before.allocatable, after.allocatable];
  if (requests.milliCpu > 0 && large.milliCpu > small.milliCpu) return true;
  if (requests.memory > 0 && large.memory > small.memory) return true;
  if (requests.ephemeralStorage > 0 && large.ephemeralStorage > small.ephemeralStorage) return true;
  for (const [name, amount] of requests.scalars ?? [])
    if (amount > 0 && (large.scalars?.get(name) ?? 0) > (small.scalars?.get(name) ?? 0)) return true;
  return false;
}

/** Whether a node comes to the domains of a pod's constraints, leaves them, or changes there. */
function changesSpread(pod: PendingPod, { before, after }: EventOf<'node'>): boolean {
  const constraints = spreadConstraints(pod, 'DoNotSchedule');
  const [was, is] = [isInDomains(constraints, before), isInDomains(constraints, after)];
  if (was !== is) return true;
  if (!is || before === undefined || after === undefined) return is;
  return (
    !isEqual(before.taints, after.taints) ||
    constraints.some(
      ({ topologyKey }) => labelOf(before.labels, topologyKey) !== labelOf(after.labels, topologyKey),
    )
  );
}

function isInDomains(constraints: readonly SpreadConstraint[], node: NodeInfo | undefined): boolean {
  return node !== undefined && hasAllDomains(constraints, node);
}

const isEqual = (left: object, right: object): boolean =>
  left === right || JSON.stringify(left) === JSON.stringify(right);
