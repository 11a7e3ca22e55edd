import type { NodeInfo } from '../objects/node-info.ts';
import { type PodInfo, podKey } from '../objects/pod-info.ts';
import { ImageCounts } from './image-counts.ts';
import { interleaveZones, zoneOf } from './node-order.ts';
import { NodeState } from './node-state.ts';
import { PodCounts } from './pod-counts.ts';
import { TermGroups } from './term-groups.ts';

/** Is told when a pod was added to a node, or taken from it. */
export type PodObserver = (pod: PodInfo, node: NodeState, delta: 1 | -1) => void;

/**
 * The nodes and the pods that have one, as the scheduler sees them. Each event changes what depends on it and nothing
 * else; nothing is computed anew for a pod that is scheduled.
 */
export class ClusterState {
  readonly #nodes = new Map<string, NodeState>();
  /** The known nodes in the order in which they are tried; undefined after a change of the set. */
  #order: NodeState[] | undefined;
  readonly #placed = new Map<string, { readonly pod: PodInfo; readonly node: NodeState }>();
  readonly #namespaces = new Map<string, Set<string>>();
  readonly #observers = new Set<PodObserver>();
  readonly counts = new PodCounts((namespaces) => this.#podsOf(namespaces));
  readonly terms = new TermGroups();
  readonly images = new ImageCounts();
  /** How many pods on nodes use a claim, by `namespace/name`. */
  readonly #claimUsers = new Map<string, number>();

  /** The known nodes; nodes of different zones alternate. */
  get nodes(): readonly NodeState[] {
    this.#order ??= interleaveZones([...this.#nodes.values()].filter(({ info }) => info !== undefined));
    return this.#order;
  }

  /** A known node. */
  node(name: string): NodeState | undefined {
    const node = this.#nodes.get(name);
    return node?.info === undefined ? undefined : node;
  }

  /** A pod that is on a node, by `namespace/name`. */
  pod(key: string): PodInfo | undefined {
    return this.#placed.get(key)?.pod;
  }

  setNode(info: NodeInfo): void {
    const node = this.#nodeOf(info.name);
    const before = node.info;
    if (before === undefined || zoneOf(before.labels) !== zoneOf(info.labels)) this.#order = undefined;
    if (before !== undefined) this.images.change(before.images, -1);
    this.images.change(info.images, 1);
    const labels = node.labels;
    node.info = info;
    if (labels !== info.labels) this.terms.relabel(node, labels, info.labels);
  }

  removeNode(name: string): void {
    const node = this.node(name);
    if (node === undefined) return;
    const { labels } = node;
    this.images.change(node.info!.images, -1);
    node.info = undefined;
    this.#order = undefined;
    this.terms.relabel(node, labels, node.labels);
    this.#dropUnused(node);
  }

  /** Puts a pod on a node, which need not be known. A pod of that name is replaced. */
  place(pod: PodInfo, nodeName: string): void {
    const key = podKey(pod);
    this.remove(key);
    const node = this.#nodeOf(nodeName);
    this.#placed.set(key, { pod, node });
    const inNamespace = this.#namespaces.get(pod.namespace);
    if (inNamespace === undefined) this.#namespaces.set(pod.namespace, new Set([key]));
    else inNamespace.add(key);
    this.addTo(node, pod);
  }

  /** @param key `namespace/name` */
  remove(key: string): void {
    const placed = this.#placed.get(key);
    if (placed === undefined) return;
    const { pod, node } = placed;
    this.#placed.delete(key);
    const inNamespace = this.#namespaces.get(pod.namespace)!;
    inNamespace.delete(key);
    if (inNamespace.size === 0) this.#namespaces.delete(pod.namespace);
    this.takeFrom(node, pod);
    this.#dropUnused(node);
  }

  /**
   * Adds a pod to a node as an assumption, or takes back {@link takeFrom}: it changes all that depends on the pods
   * of the node, but not which pods are known.
   */
  addTo(node: NodeState, pod: PodInfo): void {
    node.add(pod);
    this.#changed(pod, node, 1);
  }

  /** Takes a pod from a node as an assumption, or takes back {@link addTo}. */
  takeFrom(node: NodeState, pod: PodInfo): void {
    node.remove(pod);
    this.#changed(pod, node, -1);
  }

  /** How many pods on nodes use a claim. @param claim `namespace/name` */
  claimUsers(claim: string): number {
    return this.#claimUsers.get(claim) ?? 0;
  }

  /** @returns a function that ends it */
  observe(observer: PodObserver): () => void {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  }

  #changed(pod: PodInfo, node: NodeState, delta: 1 | -1): void {
    this.counts.change(pod, node, delta);
    this.terms.change(pod, node.labels, delta);
    for (const { name, isEphemeral } of pod.claims)
      if (!isEphemeral) this.#countClaim(`${pod.namespace}/${name}`, delta);
    for (const observer of this.#observers) observer(pod, node, delta);
  }

  #countClaim(claim: string, delta: 1 | -1): void {
    const users = this.claimUsers(claim) + delta;
    if (users > 0) this.#claimUsers.set(claim, users);
    else this.#claimUsers.delete(claim);
  }

  #nodeOf(name: string): NodeState {
    let node = this.#nodes.get(name);
    if (node === undefined) {
      node = new NodeState(name);
      this.#nodes.set(name, node);
    }
    return node;
  }

  #dropUnused(node: NodeState): void {
    if (node.info === undefined && node.pods.size === 0) this.#nodes.delete(node.name);
  }

  /** Pods of unknown nodes are of no node, and count nowhere. */
  *#podsOf(namespaces: ReadonlySet<string> | undefined): Generator<readonly [PodInfo, NodeState], void> {
    for (const namespace of namespaces ?? this.#namespaces.keys())
      for (const key of this.#namespaces.get(namespace) ?? []) {
        const { pod, node } = this.#placed.get(key)!;
        if (node.pods.has(pod)) yield [pod, node];
      }
  }
}
