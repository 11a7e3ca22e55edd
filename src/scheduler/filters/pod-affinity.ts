import { type AffinityTerm, isAboutNamespace } from '../objects/affinity-terms.ts';
import { labelOf } from '../objects/label-matcher.ts';
import type { PendingPod } from '../objects/pending-pod.ts';
import type { PodInfo } from '../objects/pod-info.ts';
import { resolveNamespaces } from '../objects/resolve-namespaces.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { NodeState } from '../state/node-state.ts';
import { type PodQuery, termsQuery } from '../state/pod-query.ts';
import type { TermGroup } from '../state/term-groups.ts';
import type { SchedulingView } from '../view.ts';
import { DOES_NOT_APPLY, impossible, type NodeCheck, type Rejection, type Rule, unfit } from './filter.ts';

const NOT_NEAR = impossible('InterPodAffinity', "node(s) didn't match pod affinity rules");
const NOT_FAR = unfit('InterPodAffinity', "node(s) didn't match pod anti-affinity rules");
const UNWELCOME = unfit('InterPodAffinity', "node(s) didn't satisfy existing pods anti-affinity rules");

/** Required affinity and anti-affinity of the pod, and the anti-affinity of the pods on nodes to it. */
export const podAffinity: Rule = (pod, view) => {
  const { info } = pod;
  const labels = view.namespaces.labels(info.namespace);
  const isAbout = (term: AffinityTerm): boolean =>
    isAboutNamespace(term, info.namespace, labels) && term.selector.matches(info.labels);
  const unwelcome = view.state.terms.required().filter(({ term }) => isAbout(term));
  const { requiredNear = [], requiredFar = [] } = info.affinity ?? {};
  if (unwelcome.length === 0 && requiredNear.length === 0 && requiredFar.length === 0) return DOES_NOT_APPLY;
  return { check: new AffinityCheck(pod, new Set(unwelcome), isAbout, view) };
};

/** Pods that all of some terms are about, counted by the topology of each of these terms. */
class TermCounts {
  readonly terms: readonly AffinityTerm[];
  readonly query: PodQuery;
  /** By topology key and value. */
  readonly #domains = new Map<string, Map<string, number>>();

  constructor(terms: readonly AffinityTerm[], state: ClusterState) {
    this.terms = terms;
    this.query = termsQuery(terms);
    const counts = state.counts.of(this.query);
    for (const node of state.nodes) {
      const count = counts.get(node);
      if (count !== undefined) this.#add(node, count);
    }
  }

  get isEmpty(): boolean {
    return this.#domains.size === 0;
  }

  of({ labels }: NodeState, { topologyKey }: AffinityTerm): number {
    const domain = labelOf(labels, topologyKey);
    return domain === undefined ? 0 : (this.#domains.get(topologyKey)?.get(domain) ?? 0);
  }

  podChanged(pod: PodInfo, node: NodeState, delta: 1 | -1): void {
    if (node.info !== undefined && this.query.matches(pod)) this.#add(node, delta);
  }

  #add({ labels }: NodeState, count: number): void {
    for (const { topologyKey } of this.terms) {
      const domain = labelOf(labels, topologyKey);
      if (domain === undefined) continue;
      const domains = this.#domains.get(topologyKey) ?? new Map<string, number>();
      const sum = (domains.get(domain) ?? 0) + count;
      if (sum > 0) domains.set(domain, sum);
      else domains.delete(domain);
      if (domains.size > 0) this.#domains.set(topologyKey, domains);
      else this.#domains.delete(topologyKey);
    }
  }
}

class AffinityCheck implements NodeCheck {
  readonly rule = 'InterPodAffinity';
  readonly #unwelcome: Set<TermGroup>;
  readonly #isAbout: (term: AffinityTerm) => boolean;
  readonly #state: ClusterState;
  /** Pods that all terms are about; undefined without terms. */
  readonly #near: TermCounts | undefined;
  /** A pod that is the first of its kind need not be near others. */
  readonly #mayBeFirst: boolean;
  readonly #far: readonly TermCounts[];

  /**
   * @param unwelcome the anti-affinity of pods on nodes to the pod
   * @param isAbout whether a term of another pod is about the pod
   */
  constructor(
    { info }: PendingPod,
    unwelcome: Set<TermGroup>,
    isAbout: (term: AffinityTerm) => boolean,
    view: SchedulingView,
  ) {
    const { requiredNear = [], requiredFar = [] } = info.affinity ?? {};
    const near = requiredNear.map((term) => resolveNamespaces(term, view.namespaces));
    this.#unwelcome = unwelcome;
    this.#isAbout = isAbout;
    this.#state = view.state;
    this.#near = near.length === 0 ? undefined : new TermCounts(near, view.state);
    this.#mayBeFirst = this.#near?.query.matches(info) ?? false;
    this.#far = requiredFar.map(
      (term) => new TermCounts([resolveNamespaces(term, view.namespaces)], view.state),
    );
  }

  check(node: NodeState): Rejection | undefined {
    if (!this.#isNear(node)) return NOT_NEAR;
    for (const counts of this.#far) if (counts.of(node, counts.terms[0]!) > 0) return NOT_FAR;
    for (const { term, domains } of this.#unwelcome) {
      const domain = labelOf(node.labels, term.topologyKey);
      if (domain !== undefined && domains.has(domain)) return UNWELCOME;
    }
    return undefined;
  }

  #isNear(node: NodeState): boolean {
    const near = this.#near;
    if (near === undefined) return true;
    if (near.terms.some(({ topologyKey }) => labelOf(node.labels, topologyKey) === undefined)) return false;
    return near.terms.every((term) => near.of(node, term) > 0) || (near.isEmpty && this.#mayBeFirst);
  }

  podChanged(pod: PodInfo, node: NodeState, delta: 1 | -1): void {
    this.#near?.podChanged(pod, node, delta);
    for (const counts of this.#far) counts.podChanged(pod, node, delta);
    for (const term of pod.affinity?.requiredFar ?? []) {
      const group = this.#state.terms.requiredGroup(term);
      if (group !== undefined && this.#isAbout(term)) this.#unwelcome.add(group);
    }
  }
}
