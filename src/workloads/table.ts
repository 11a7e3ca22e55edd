import type { ControllerDeclaration } from '../reconcile/declaration.ts';
import { DEPLOYMENTS, REPLICA_SETS, REPLICATION_CONTROLLERS } from '../reconcile/resources.ts';
import type { WorkloadSettings } from './settings.ts';

/** What the controllers of workloads take besides their context. */
export interface WorkloadNeeds {
  readonly workloads: WorkloadSettings;
}

/** The controllers of workloads, in the order in which they start. */
export const WORKLOAD_CONTROLLERS = [
  {
    name: 'replicationcontroller-controller',
    alias: 'replicationcontroller',
    does: 'keeps the number of Pods of each ReplicationController; adopts and releases Pods by labels',
    account: 'replication-controller',
    wakesFor: [REPLICATION_CONTROLLERS],
    async create(parts, { workloads }) {
      const { replicaSetController } = await import('./replica-sets/controller.ts');
      const { REPLICATION_CONTROLLER } = await import('./replica-sets/kinds.ts');
      return replicaSetController(parts, REPLICATION_CONTROLLER, workloads.replicationControllerWorkers);
    },
  },
  {
    name: 'replicaset-controller',
    alias: 'replicaset',
    does: 'keeps the number of Pods of each ReplicaSet; adopts and releases Pods by labels',
    account: 'replicaset-controller',
    wakesFor: [REPLICA_SETS],
    async create(parts, { workloads }) {
      const { replicaSetController } = await import('./replica-sets/controller.ts');
      const { REPLICA_SET } = await import('./replica-sets/kinds.ts');
      return replicaSetController(parts, REPLICA_SET, workloads.replicaSetWorkers);
    },
  },
  {
    name: 'deployment-controller',
    alias: 'deployment',
    does: 'rolls out the templates of Deployments by ReplicaSets; scales, pauses, rolls back, and reports progress',
    account: 'deployment-controller',
    wakesFor: [DEPLOYMENTS],
    async create(parts, { workloads }) {
      const { deploymentController } = await import('./deployments/controller.ts');
      return deploymentController(parts, workloads.deploymentWorkers);
    },
  },
] as const satisfies readonly ControllerDeclaration<WorkloadNeeds>[];
