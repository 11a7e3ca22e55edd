import type { AffinityTerm } from '../objects/affinity-terms.ts';
import { type Labels, labelOf } from '../objects/label-matcher.ts';
import type { PodInfo } from '../objects/pod-info.ts';
import type { NodeState } from './node-state.ts';

/** What a required affinity of a running pod counts for a pod that it is about, as a preference. */
const REQUIRED_AFFINITY_WEIGHT = 1;

/** The pods on nodes that have one term in common. */
export interface TermGroup {
  readonly term: AffinityTerm;
  /** 0 for a required anti-affinity, else the weight of a preference. */
  readonly weight: number;
  /** How often pods on nodes with a value of the topology label have the term. */
  readonly domains: Map<string, number>;
}

/** The affinity terms of the pods on nodes, grouped so that a term that many pods share is compared once. */
export class TermGroups {
  readonly #groups = new Map<string, TermGroup>();

  /** The groups of terms that make pods unwelcome. */
  required(): TermGroup[] {
    return this.#used().filter(({ weight }) => weight === 0);
  }

  /** The groups of terms that make pods more or less welcome. */
  preferred(): TermGroup[] {
    return this.#used().filter(({ weight }) => weight !== 0);
  }

  /** The group of a required anti-affinity; undefined if no pod on a node has it. */
  requiredGroup(term: AffinityTerm): TermGroup | undefined {
    return this.#groups.get(groupKey(term, 0));
  }

  /** A pod was added to a node, or taken from it. @param labels of the node */
  change({ affinity }: PodInfo, labels: Labels, delta: 1 | -1): void {
    if (affinity === undefined) return;
    for (const term of affinity.requiredFar) this.#change(term, 0, labels, delta);
    for (const term of affinity.requiredNear) this.#change(term, REQUIRED_AFFINITY_WEIGHT, labels, delta);
    for (const { term, weight } of affinity.preferred)
      if (weight !== 0) this.#change(term, weight, labels, delta);
  }

  /** The labels of a node have changed. */
  relabel(node: NodeState, before: Labels, after: Labels): void {
    for (const pod of node.pods) {
      this.change(pod, before, -1);
      this.change(pod, after, 1);
    }
  }

  /** An empty group stays until here: its pods may only be gone as an assumption. */
  #used(): TermGroup[] {
    const used: TermGroup[] = [];
    for (const [key, group] of this.#groups) {
      if (group.domains.size === 0) this.#groups.delete(key);
      else used.push(group);
    }
    return used;
  }

  #change(term: AffinityTerm, weight: number, labels: Labels, delta: 1 | -1): void {
    const value = labelOf(labels, term.topologyKey);
    if (value === undefined) return;
    const key = groupKey(term, weight);
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { term, weight, domains: new Map() };
      this.#groups.set(key, group);
    }
    const count = (group.domains.get(value) ?? 0) + delta;
    if (count > 0) group.domains.set(value, count);
    else group.domains.delete(value);
  }
}

const groupKey = ({ key }: AffinityTerm, weight: number): string => `${weight} ${key}`;
