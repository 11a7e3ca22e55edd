import type { Node } from '../../model/generated/core-v1.ts';
import type { IndexedSource } from '../../reader/object-source.ts';
import { type NodeInfo, nodeInfo } from '../objects/node-info.ts';
import type { ClusterEvent } from '../queue/cluster-event.ts';
import type { ClusterState } from '../state/cluster-state.ts';

/** Keeps the state as the nodes are. Most changes of a node are signs of life, which change nothing. */
export function followNodes(
  source: IndexedSource,
  state: ClusterState,
  happened: (event: ClusterEvent) => void,
): void {
  source.onChange((name, current) => {
    const before = state.node(name)?.info;
    if (current === undefined) {
      state.removeNode(name);
      happened({ kind: 'node', before, after: undefined });
      return;
    }
    const after = nodeInfo(current.peek() as Node);
    if (before !== undefined && isEqual(before, after)) return;
    state.setNode(after);
    happened({ kind: 'node', before, after });
  });
}

const isEqual = (left: NodeInfo, right: NodeInfo): boolean => text(left) === text(right);

const text = (node: NodeInfo): string =>
  JSON.stringify([
    node.labels,
    node.taints,
    node.isUnschedulable,
    node.allowedPods,
    { ...node.allocatable, scalars: [...(node.allocatable.scalars ?? [])] },
    [...node.images],
  ]);
