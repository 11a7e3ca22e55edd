import type { TopologySpreadConstraint } from '../../model/generated/core-v1.ts';
import { equalities } from '../../model/label-selector.ts';
import { untoleratedTaint } from '../../reconcile/nodes/taints.ts';
import type { NodeState } from '../state/node-state.ts';
import {
  type LabelMatcher,
  type Labels,
  labelMatcher,
  labelOf,
  matcherOf,
  requirementsOf,
} from './label-matcher.ts';
import type { PendingPod } from './pending-pod.ts';

/** A constraint on how evenly pods are spread over the values of a node label. */
export interface SpreadConstraint {
  readonly topologyKey: string;
  readonly maxSkew: number;
  /** With fewer values, none of them counts as used. */
  readonly minDomains: number;
  readonly selector: LabelMatcher;
  /** Only nodes count that the pod's affinity allows. */
  readonly honorsAffinity: boolean;
  /** Only nodes count whose taints the pod tolerates. */
  readonly honorsTaints: boolean;
}

export const HOSTNAME = 'kubernetes.io/hostname';

/** Constraints of pods that have none, as preferences; their selector is that of the pod's owners. */
export const DEFAULT_CONSTRAINTS = [
  { topologyKey: HOSTNAME, maxSkew: 3 },
  { topologyKey: 'topology.kubernetes.io/zone', maxSkew: 5 },
];

/** The constraints of a pod with this consequence. */
export const spreadConstraints = (
  { spreadConstraints, info }: PendingPod,
  consequence: 'DoNotSchedule' | 'ScheduleAnyway',
): SpreadConstraint[] =>
  spreadConstraints
    .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === consequence)
    .map((constraint) => ({
      topologyKey: constraint.topologyKey ?? '',
      maxSkew: constraint.maxSkew ?? 0,
      minDomains: constraint.minDomains ?? 1,
      selector: selectorFor(constraint, info.labels),
      honorsAffinity: constraint.nodeAffinityPolicy !== 'Ignore',
      honorsTaints: constraint.nodeTaintsPolicy === 'Honor',
    }));

/** The selector, and the labels of the pod under `matchLabelKeys`. */
function selectorFor(
  { labelSelector, matchLabelKeys = [] }: TopologySpreadConstraint,
  labels: Labels,
): LabelMatcher {
  const own: Record<string, string> = {};
  for (const key of matchLabelKeys) {
    const value = labelOf(labels, key);
    if (value !== undefined) own[key] = value;
  }
  const requirements = labelSelector === undefined ? undefined : requirementsOf(labelSelector);
  if (requirements === undefined || Object.keys(own).length === 0) return labelMatcher(labelSelector);
  return matcherOf([...equalities(own), ...requirements]);
}

/** Whether a node counts for a constraint of a pod. */
export function isCounted(
  { honorsAffinity, honorsTaints }: SpreadConstraint,
  { requiredNodes, tolerations }: PendingPod,
  node: NodeState,
): boolean {
  if (honorsAffinity && requiredNodes?.(node) === false) return false;
  return !honorsTaints || untoleratedTaint(node.info!.taints, tolerations) === undefined;
}

/** Whether a node has the label of each constraint. */
export const hasAllDomains = (
  constraints: readonly SpreadConstraint[],
  { labels }: Pick<NodeState, 'labels'>,
): boolean => constraints.every(({ topologyKey }) => labelOf(labels, topologyKey) !== undefined);
