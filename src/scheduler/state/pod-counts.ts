import type { PodInfo } from '../objects/pod-info.ts';
import type { NodeState } from './node-state.ts';
import type { PodQuery } from './pod-query.ts';

/** How many pods of each node a query selects; nodes without such pods are absent. */
export type CountsByNode = ReadonlyMap<NodeState, number>;

interface Counted {
  readonly query: PodQuery;
  readonly byNode: Map<NodeState, number>;
}

/** Queries whose counts are kept; the one that was not used for longest makes room. */
const MAXIMUM_QUERIES = 128;

/**
 * Counts of selected pods by node. The first use of a query counts all pods; from then on each change of a pod
 * changes the counts.
 */
export class PodCounts {
  /** By key, in the order of use. */
  readonly #counted = new Map<string, Counted>();
  readonly #podsOf: (namespaces: ReadonlySet<string> | undefined) => Iterable<readonly [PodInfo, NodeState]>;

  /** @param podsOf the pods of some namespaces, or all of them, with their nodes */
  constructor(
    podsOf: (namespaces: ReadonlySet<string> | undefined) => Iterable<readonly [PodInfo, NodeState]>,
  ) {
    this.#podsOf = podsOf;
  }

  /** The counts of a query; they change with the pods until other queries have taken their place. */
  of(query: PodQuery): CountsByNode {
    const known = this.#counted.get(query.key);
    if (known !== undefined) {
      this.#counted.delete(query.key);
      this.#counted.set(query.key, known);
      return known.byNode;
    }
    if (this.#counted.size >= MAXIMUM_QUERIES) this.#counted.delete(this.#counted.keys().next().value!);
    const byNode = new Map<NodeState, number>();
    for (const [pod, node] of this.#podsOf(query.namespaces))
      if (query.matches(pod)) byNode.set(node, (byNode.get(node) ?? 0) + 1);
    this.#counted.set(query.key, { query, byNode });
    return byNode;
  }

  /** A pod was added to a node, or taken from it. */
  change(pod: PodInfo, node: NodeState, delta: 1 | -1): void {
    for (const { query, byNode } of this.#counted.values()) {
      if (query.namespaces?.has(pod.namespace) === false || !query.matches(pod)) continue;
      const count = (byNode.get(node) ?? 0) + delta;
      if (count === 0) byNode.delete(node);
      else byNode.set(node, count);
    }
  }

  clear(): void {
    this.#counted.clear();
  }
}
