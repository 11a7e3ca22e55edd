import { labelOf } from '../objects/label-matcher.ts';
import { ownerSelector } from '../objects/owner-selector.ts';
import type { PendingPod } from '../objects/pending-pod.ts';
import {
  DEFAULT_CONSTRAINTS,
  HOSTNAME,
  hasAllDomains,
  isCounted,
  type SpreadConstraint,
  spreadConstraints,
} from '../objects/spread-constraints.ts';
import type { NodeState } from '../state/node-state.ts';
import type { CountsByNode } from '../state/pod-counts.ts';
import { spreadQuery } from '../state/pod-query.ts';
import type { SchedulingView } from '../view.ts';
import { BEST_SCORE, type Criterion } from './score.ts';

/** Fewer pods of the same kind in the node's domains, by the constraints of the pod with ScheduleAnyway. */
export const evenSpread: Criterion = (pod, nodes, view) => {
  const ownConstraints = pod.spreadConstraints.length > 0;
  const constraints = ownConstraints
    ? spreadConstraints(pod, 'ScheduleAnyway')
    : defaultConstraints(pod, view);
  if (constraints.length === 0) return undefined;
  // The default constraints also hold for nodes that have only one of the labels.
  const isScored = (node: NodeState): boolean => !ownConstraints || hasAllDomains(constraints, node);
  const counted = constraints.map((constraint) =>
    countDomains(pod, constraint, { nodes: nodes.filter(isScored), isScored, view }),
  );
  const raw = nodes.map((node) => (isScored(node) ? rawScore(node, counted) : undefined));
  return normalized(raw);
};

/** A pod without constraints is spread among the pods of its services and its controller. */
function defaultConstraints(pod: PendingPod, { owners }: SchedulingView): SpreadConstraint[] {
  const selector = ownerSelector(pod, owners);
  if (selector.isEmpty) return [];
  return DEFAULT_CONSTRAINTS.map((constraint) => ({
    ...constraint,
    minDomains: 1,
    selector,
    honorsAffinity: true,
    honorsTaints: false,
  }));
}

interface CountedConstraint {
  readonly constraint: SpreadConstraint;
  /** Counts by domain; undefined for host names, of which each has one node. */
  readonly domains: ReadonlyMap<string, number> | undefined;
  readonly byNode: CountsByNode;
  /** Balances labels with many values against those with few. */
  readonly weight: number;
}

interface ScoredNodes {
  /** The candidates that are scored. */
  readonly nodes: readonly NodeState[];
  readonly isScored: (node: NodeState) => boolean;
  readonly view: SchedulingView;
}

function countDomains(
  pod: PendingPod,
  constraint: SpreadConstraint,
  { nodes, isScored, view: { state } }: ScoredNodes,
): CountedConstraint {
  const { topologyKey } = constraint;
  const byNode = state.counts.of(spreadQuery(pod.info.namespace, constraint.selector));
  if (topologyKey === HOSTNAME)
    return { constraint, domains: undefined, byNode, weight: Math.log(nodes.length + 2) };
  const domains = new Map<string, number>();
  for (const { labels } of nodes) domains.set(labelOf(labels, topologyKey) ?? '', 0);
  for (const node of state.nodes) {
    const count = byNode.get(node);
    if (count === undefined || !isScored(node) || !isCounted(constraint, pod, node)) continue;
    const domain = labelOf(node.labels, topologyKey) ?? '';
    const before = domains.get(domain);
    if (before !== undefined) domains.set(domain, before + count);
  }
  return { constraint, domains, byNode, weight: Math.log(domains.size + 2) };
}

function rawScore(node: NodeState, counted: readonly CountedConstraint[]): number {
  let score = 0;
  for (const { constraint, domains, byNode, weight } of counted) {
    const domain = labelOf(node.labels, constraint.topologyKey);
    if (domain === undefined) continue;
    const count = (domains === undefined ? byNode.get(node) : domains.get(domain)) ?? 0;
    score += count * weight + (constraint.maxSkew - 1);
  }
  return Math.round(score);
}

/** The least becomes the best score; nodes that are not scored get 0. */
function normalized(raw: readonly (number | undefined)[]): number[] {
  let least = Number.MAX_SAFE_INTEGER;
  let most = 0;
  for (const score of raw) {
    if (score === undefined) continue;
    if (score < least) least = score;
    if (score > most) most = score;
  }
  return raw.map((score) => {
    if (score === undefined) return 0;
    return most === 0 ? BEST_SCORE : Math.trunc((BEST_SCORE * (most + least - score)) / most);
  });
}
