import { isAboutNamespace } from '../objects/affinity-terms.ts';
import { labelOf } from '../objects/label-matcher.ts';
import type { PendingPod } from '../objects/pending-pod.ts';
import { resolveNamespaces } from '../objects/resolve-namespaces.ts';
import { termsQuery } from '../state/pod-query.ts';
import type { SchedulingView } from '../view.ts';
import { BEST_SCORE, type Criterion } from './score.ts';

/** Weights by topology key and value. */
type DomainWeights = Map<string, Map<string, number>>;

/** Nearer to pods that the pod prefers or that prefer it, farther from others. */
export const preferredPods: Criterion = (pod, nodes, view) => {
  const weights: DomainWeights = new Map();
  addOwnPreferences(pod, view, weights);
  addPreferencesOfOthers(pod, view, weights);
  if (weights.size === 0) return undefined;
  const sums = nodes.map(({ labels }) => {
    let sum = 0;
    for (const [topologyKey, domains] of weights) {
      const domain = labelOf(labels, topologyKey);
      if (domain !== undefined) sum += domains.get(domain) ?? 0;
    }
    return sum;
  });
  const least = Math.min(...sums);
  const range = Math.max(...sums) - least;
  return sums.map((sum) => (range === 0 ? 0 : Math.trunc(BEST_SCORE * ((sum - least) / range))));
};

function addOwnPreferences({ info }: PendingPod, view: SchedulingView, weights: DomainWeights): void {
  for (const { term, weight } of info.affinity?.preferred ?? []) {
    const counts = view.state.counts.of(termsQuery([resolveNamespaces(term, view.namespaces)]));
    for (const [node, count] of counts) {
      const domain = labelOf(node.labels, term.topologyKey);
      if (domain !== undefined) addWeight(weights, term.topologyKey, domain, weight * count);
    }
  }
}

function addPreferencesOfOthers({ info }: PendingPod, view: SchedulingView, weights: DomainWeights): void {
  const groups = view.state.terms.preferred();
  if (groups.length === 0) return;
  const labels = view.namespaces.labels(info.namespace);
  for (const { term, weight, domains } of groups) {
    if (!isAboutNamespace(term, info.namespace, labels) || !term.selector.matches(info.labels)) continue;
    for (const [domain, count] of domains) addWeight(weights, term.topologyKey, domain, weight * count);
  }
}

function addWeight(weights: DomainWeights, topologyKey: string, domain: string, weight: number): void {
  const domains = weights.get(topologyKey) ?? new Map<string, number>();
  domains.set(domain, (domains.get(domain) ?? 0) + weight);
  weights.set(topologyKey, domains);
}
