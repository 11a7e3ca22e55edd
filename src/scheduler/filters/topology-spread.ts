import { labelOf } from '../objects/label-matcher.ts';
import type { PendingPod } from '../objects/pending-pod.ts';
import type { PodInfo } from '../objects/pod-info.ts';
import {
  hasAllDomains,
  isCounted,
  type SpreadConstraint,
  spreadConstraints,
} from '../objects/spread-constraints.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { NodeState } from '../state/node-state.ts';
import { type PodQuery, spreadQuery } from '../state/pod-query.ts';
import { DomainCounts } from './domain-counts.ts';
import { DOES_NOT_APPLY, impossible, type NodeCheck, type Rejection, type Rule, unfit } from './filter.ts';

const TEXT = "node(s) didn't match pod topology spread constraints";
const UNEVEN = unfit('PodTopologySpread', TEXT);
const NO_LABEL = impossible('PodTopologySpread', `${TEXT} (missing required label)`);

/** Constraints with DoNotSchedule: no node on which the pod would make the spread too uneven. */
export const topologySpread: Rule = (pod, { state }) => {
  const constraints = spreadConstraints(pod, 'DoNotSchedule');
  if (constraints.length === 0) return DOES_NOT_APPLY;
  return { check: new SpreadCheck(pod, constraints, state) };
};

class SpreadCheck implements NodeCheck {
  readonly rule = 'PodTopologySpread';
  readonly #pod: PendingPod;
  readonly #constraints: readonly SpreadConstraint[];
  readonly #counted: readonly {
    readonly constraint: SpreadConstraint;
    readonly query: PodQuery;
    readonly domains: DomainCounts;
    readonly selfMatch: 0 | 1;
  }[];

  constructor(pod: PendingPod, constraints: readonly SpreadConstraint[], state: ClusterState) {
    this.#pod = pod;
    this.#constraints = constraints;
    const nodes = state.nodes.filter((node) => hasAllDomains(constraints, node));
    this.#counted = constraints.map((constraint) => {
      const query = spreadQuery(pod.info.namespace, constraint.selector);
      const counts = state.counts.of(query);
      const domains = new DomainCounts();
      for (const node of nodes)
        if (isCounted(constraint, pod, node))
          domains.add(labelOf(node.labels, constraint.topologyKey)!, counts.get(node) ?? 0);
      const selfMatch = constraint.selector.matches(pod.info.labels) ? 1 : 0;
      return { constraint, query, domains, selfMatch };
    });
  }

  check({ labels }: NodeState): Rejection | undefined {
    for (const { constraint, domains, selfMatch } of this.#counted) {
      const domain = labelOf(labels, constraint.topologyKey);
      if (domain === undefined) return NO_LABEL;
      const least = domains.domains < constraint.minDomains ? 0 : domains.least;
      if (domains.of(domain) + selfMatch - least > constraint.maxSkew) return UNEVEN;
    }
    return undefined;
  }

  podChanged(pod: PodInfo, node: NodeState, delta: 1 | -1): void {
    if (node.info === undefined || !hasAllDomains(this.#constraints, node)) return;
    for (const { constraint, query, domains } of this.#counted)
      if (query.matches(pod) && isCounted(constraint, this.#pod, node))
        domains.add(labelOf(node.labels, constraint.topologyKey)!, delta);
  }
}
