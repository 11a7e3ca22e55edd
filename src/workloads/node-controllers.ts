import type { ControllerDeclaration } from '../reconcile/declaration.ts';
import { NODES, PODS } from '../reconcile/resources.ts';
import type { NodeLifecycleSettings } from './node-lifecycle/settings.ts';

/** What the controllers of nodes take besides their context. */
export interface NodeControllerNeeds {
  readonly nodeLifecycle: NodeLifecycleSettings;
  /** Whether the kubelet of a node is simulated by this server and runs. */
  readonly isLiveNode: (node: string) => boolean;
  /** Number of finished Pods that are kept; 0 or less: all. */
  readonly keptFinishedPods: number;
}

/** The controllers of nodes, and of Pods on nodes, in the order in which they start. */
export const NODE_CONTROLLERS = [
  {
    name: 'node-lifecycle-controller',
    alias: 'nodelifecycle',
    does: 'marks nodes whose kubelet is silent, taints nodes by their conditions, and has the Pods of nodes evicted that are not ready',
    account: 'node-controller',
    wakesFor: [NODES],
    async create(parts, { nodeLifecycle, isLiveNode }) {
      const { nodeLifecycleController } = await import('./node-lifecycle/controller.ts');
      return nodeLifecycleController(parts, nodeLifecycle, isLiveNode);
    },
  },
  {
    name: 'taint-eviction-controller',
    alias: 'taint-eviction',
    does: 'evicts Pods that do not tolerate a taint `NoExecute` of their node, or not any more',
    account: 'node-controller',
    wakesFor: [NODES],
    async create(parts) {
      const { taintEvictionController } = await import('./taint-eviction/controller.ts');
      return taintEvictionController(parts);
    },
  },
  {
    name: 'pod-garbage-collector-controller',
    alias: 'podgc',
    does: 'deletes finished Pods beyond a number, those of nodes that are gone, and terminating ones that were never bound',
    account: 'pod-garbage-collector',
    wakesFor: [PODS],
    async create(parts, { keptFinishedPods }) {
      const { podGarbageCollector } = await import('./pod-garbage-collector/controller.ts');
      return podGarbageCollector(parts, keptFinishedPods);
    },
  },
  {
    name: 'ttl-controller',
    alias: 'ttl',
    does: 'tells kubelets by an annotation of their nodes how long they may cache, by the size of the cluster',
    account: 'ttl-controller',
    wakesFor: [NODES],
    async create(parts) {
      const { nodeTtlController } = await import('./node-ttl/controller.ts');
      return nodeTtlController(parts);
    },
  },
] as const satisfies readonly ControllerDeclaration<NodeControllerNeeds>[];
