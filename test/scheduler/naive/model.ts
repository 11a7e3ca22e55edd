import type {
  Node,
  Pod,
  PodAffinityTerm,
  TopologySpreadConstraint,
} from '../../../src/model/generated/core-v1.ts';
import type { Situation } from '../situations/situation.ts';
import { amount, requested } from './requests.ts';
import { allowsNode, hardTaint, matches, toleratesTaint } from './selectors.ts';

const RESOURCES = ['cpu', 'memory', 'ephemeral-storage', 'example.com/gpu', 'hugepages-2Mi'];
const UNSCHEDULABLE = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** Evaluates each rule from the objects alone, the simplest way: slow, and without anything that is kept. */
export class NaiveModel {
  readonly #situation: Situation;

  constructor(situation: Situation) {
    this.#situation = situation;
  }

  /** Why a pod cannot use a node: the reasons of the first rule that says so; empty if it can. */
  reasons(pod: Pod, node: Node): readonly string[] {
    const rules = [
      () => this.#cordoned(pod, node),
      () => this.#tainted(pod, node),
      () => (allowsNode(pod, node) ? [] : ["node(s) didn't match Pod's node affinity/selector"]),
      () => this.#ports(pod, node),
      () => this.#resources(pod, node),
      () => this.#spread(pod, node),
      () => this.#affinity(pod, node),
    ];
    for (const rule of rules) {
      const reasons = rule();
      if (reasons.length > 0) return reasons;
    }
    return [];
  }

  #podsOn({ metadata }: Node): readonly Pod[] {
    return this.#situation.pods.filter(({ spec }) => spec!.nodeName === metadata!.name);
  }

  /** The value of a label of a pod's node. */
  #domainOf({ spec }: Pod, topologyKey: string): string | undefined {
    const node = this.#situation.nodes.find(({ metadata }) => metadata!.name === spec!.nodeName);
    return node?.metadata?.labels?.[topologyKey];
  }

  #cordoned(pod: Pod, { spec }: Node): string[] {
    return spec?.unschedulable === true && !toleratesTaint(pod, UNSCHEDULABLE)
      ? ['node(s) were unschedulable']
      : [];
  }

  #tainted(pod: Pod, node: Node): string[] {
    const taint = hardTaint(pod, node);
    return taint === undefined ? [] : [`node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`];
  }

  #ports(pod: Pod, node: Node): string[] {
    const ports = ({ spec }: Pod) =>
      spec!.containers!.flatMap(({ ports }) => ports ?? []).filter(({ hostPort }) => (hostPort ?? 0) > 0);
    const isAny = (address: string | undefined) => !address || address === '0.0.0.0';
    const isTaken = ports(pod).some((wanted) =>
      this.#podsOn(node)
        .flatMap(ports)
        .some(
          (used) =>
            used.hostPort === wanted.hostPort &&
            (used.protocol ?? 'TCP') === (wanted.protocol ?? 'TCP') &&
            (isAny(used.hostIP) || isAny(wanted.hostIP) || used.hostIP === wanted.hostIP),
        ),
    );
    return isTaken ? ["node(s) didn't have free ports for the requested pod ports"] : [];
  }

  #resources(pod: Pod, node: Node): string[] {
    const others = this.#podsOn(node);
    const allocatable = node.status!.allocatable!;
    const missing = RESOURCES.filter((resource) => {
      const wanted = requested(pod, resource);
      const used = others.reduce((sum, other) => sum + requested(other, resource), 0);
      return wanted > 0 && wanted + used > amount(resource, allocatable[resource]);
    }).map((resource) => `Insufficient ${resource}`);
    return others.length + 1 > Number(allocatable['pods']) ? ['Too many pods', ...missing] : missing;
  }

  #spread(pod: Pod, node: Node): string[] {
    const text = "node(s) didn't match pod topology spread constraints";
    const hard = (pod.spec!.topologySpreadConstraints ?? []).filter(
      ({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule',
    );
    for (const constraint of hard) {
      const domain = node.metadata!.labels?.[constraint.topologyKey!];
      if (domain === undefined) return [`${text} (missing required label)`];
      if (this.#skew(pod, constraint, hard, domain) > constraint.maxSkew!) return [text];
    }
    return [];
  }

  /** How far a domain is above the emptiest one with the pod in it. */
  #skew(
    pod: Pod,
    constraint: TopologySpreadConstraint,
    all: readonly TopologySpreadConstraint[],
    domain: string,
  ): number {
    const { topologyKey, nodeAffinityPolicy, nodeTaintsPolicy, minDomains = 1 } = constraint;
    const isLike = (labels: Record<string, string> | undefined): boolean =>
      matches(constraint.labelSelector, labels) &&
      (constraint.matchLabelKeys ?? []).every(
        (key) => pod.metadata!.labels?.[key] === undefined || labels?.[key] === pod.metadata!.labels[key],
      );
    const isEmpty =
      Object.values(constraint.labelSelector ?? {}).flatMap((part) => Object.keys(part)).length === 0;
    const hasKeys = (constraint.matchLabelKeys ?? []).some(
      (key) => pod.metadata!.labels?.[key] !== undefined,
    );
    const nodes = this.#situation.nodes.filter(
      (node) =>
        all.every((other) => node.metadata!.labels?.[other.topologyKey!] !== undefined) &&
        (nodeAffinityPolicy === 'Ignore' || allowsNode(pod, node)) &&
        (nodeTaintsPolicy !== 'Honor' || hardTaint(pod, node) === undefined),
    );
    const counts = new Map<string, number>();
    for (const node of nodes) {
      const alike =
        isEmpty && !hasKeys
          ? []
          : this.#podsOn(node).filter(
              ({ metadata }) =>
                metadata!.namespace === pod.metadata!.namespace &&
                metadata!.deletionTimestamp === undefined &&
                isLike(metadata!.labels),
            );
      const value = node.metadata!.labels![topologyKey!]!;
      counts.set(value, (counts.get(value) ?? 0) + alike.length);
    }
    const least = counts.size < minDomains ? 0 : Math.min(2 ** 31, ...counts.values());
    return (counts.get(domain) ?? 0) + (isLike(pod.metadata!.labels) ? 1 : 0) - least;
  }

  #affinity(pod: Pod, node: Node): string[] {
    const { podAffinity, podAntiAffinity } = pod.spec!.affinity ?? {};
    const near = podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const far = podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    if (!this.#isNear(pod, node, near)) return ["node(s) didn't match pod affinity rules"];
    if (far.some((term) => this.#isBeside(node, term, (other) => this.#isAbout(term, pod, other))))
      return ["node(s) didn't match pod anti-affinity rules"];
    const isUnwelcome = this.#situation.pods.some((other) =>
      (other.spec!.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).some(
        (term) =>
          this.#isAbout(term, other, pod) && this.#isBeside(node, term, (present) => present === other),
      ),
    );
    return isUnwelcome ? ["node(s) didn't satisfy existing pods anti-affinity rules"] : [];
  }

  #isNear(pod: Pod, node: Node, terms: readonly PodAffinityTerm[]): boolean {
    if (terms.some(({ topologyKey }) => node.metadata!.labels?.[topologyKey!] === undefined)) return false;
    const isLike = (other: Pod): boolean => terms.every((term) => this.#isAbout(term, pod, other));
    if (terms.every((term) => this.#isBeside(node, term, isLike))) return true;
    const isFirst = !this.#situation.pods.some(
      (other) =>
        isLike(other) && terms.some(({ topologyKey }) => this.#domainOf(other, topologyKey!) !== undefined),
    );
    return isFirst && isLike(pod);
  }

  /** Whether a pod on a node with the same value of the topology label meets a condition. */
  #isBeside(node: Node, { topologyKey }: PodAffinityTerm, condition: (pod: Pod) => boolean): boolean {
    const domain = node.metadata!.labels?.[topologyKey!];
    return (
      domain !== undefined &&
      this.#situation.pods.some((other) => this.#domainOf(other, topologyKey!) === domain && condition(other))
    );
  }

  /** Whether a term of a pod is about another. */
  #isAbout(term: PodAffinityTerm, pod: Pod, other: Pod): boolean {
    const { namespaces = [], namespaceSelector } = term;
    const names =
      namespaces.length === 0 && namespaceSelector === undefined ? [pod.metadata!.namespace!] : namespaces;
    const namespace = other.metadata!.namespace!;
    const found = this.#situation.namespaces.find(({ metadata }) => metadata!.name === namespace);
    const labels = found?.metadata?.labels;
    return (
      (names.includes(namespace) || matches(namespaceSelector, labels)) &&
      matches(term.labelSelector, other.metadata!.labels)
    );
  }
}
