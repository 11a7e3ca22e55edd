import type { ControllerDeclaration } from '../reconcile/declaration.ts';
import type { PodMetrics } from '../reconcile/pods/pod-usage.ts';
import {
  CRON_JOBS,
  DAEMON_SETS,
  DEPLOYMENTS,
  HORIZONTAL_POD_AUTOSCALERS,
  JOBS,
  POD_DISRUPTION_BUDGETS,
  PODS,
  REPLICA_SETS,
  REPLICATION_CONTROLLERS,
  STATEFUL_SETS,
} from '../reconcile/resources.ts';
import type { ServedKinds } from '../reconcile/scale.ts';
import type { WorkloadSettings } from './settings.ts';

/** What the controllers of workloads take besides their context. */
export interface WorkloadNeeds {
  readonly workloads: WorkloadSettings;
  /** The kinds whose scale controllers read and write. */
  readonly servedKinds: ServedKinds;
  readonly remoteKinds: { isRemote(group: string, version: string): boolean };
  /** Measurements of the Pods that the server plays; undefined if it plays none. */
  readonly podMetrics: PodMetrics | undefined;
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
      return replicaSetController(parts, REPLICATION_CONTROLLER, {
        workers: workloads.replicationControllerWorkers,
        countsTerminating: false,
      });
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
      return replicaSetController(parts, REPLICA_SET, {
        workers: workloads.replicaSetWorkers,
        countsTerminating: workloads.countsTerminating,
      });
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
      return deploymentController(parts, {
        workers: workloads.deploymentWorkers,
        countsTerminating: workloads.countsTerminating,
      });
    },
  },
  {
    name: 'statefulset-controller',
    alias: 'statefulset',
    does: 'keeps the Pods of StatefulSets by ordinal, with their claims; updates them in order, and keeps a history of templates',
    account: 'statefulset-controller',
    wakesFor: [STATEFUL_SETS],
    async create(parts, { workloads }) {
      const { statefulSetController } = await import('./stateful-sets/controller.ts');
      return statefulSetController(parts, workloads.statefulSets);
    },
  },
  {
    name: 'daemonset-controller',
    alias: 'daemonset',
    does: 'keeps a Pod of each DaemonSet on every node that it may run on; updates them, and keeps a history of templates',
    account: 'daemon-set-controller',
    wakesFor: [DAEMON_SETS],
    async create(parts, { workloads }) {
      const { daemonSetController } = await import('./daemon-sets/controller.ts');
      return daemonSetController(parts, workloads.daemonSetWorkers);
    },
  },
  {
    name: 'job-controller',
    alias: 'job',
    does: 'runs the Pods of Jobs to their end: completions, indexes, limits of failures, policies, suspension',
    account: 'job-controller',
    wakesFor: [JOBS],
    async create(parts, { workloads }) {
      const { jobController } = await import('./jobs/controller.ts');
      return jobController(parts, workloads.jobWorkers);
    },
  },
  {
    name: 'cronjob-controller',
    alias: 'cronjob',
    does: 'starts Jobs at the times of CronJobs, and deletes old ones',
    account: 'cronjob-controller',
    wakesFor: [CRON_JOBS],
    async create(parts, { workloads }) {
      const { cronJobController } = await import('./cron-jobs/controller.ts');
      return cronJobController(parts, workloads.cronJobWorkers);
    },
  },
  {
    name: 'ttl-after-finished-controller',
    alias: 'ttl-after-finished',
    does: 'deletes finished Jobs after their `ttlSecondsAfterFinished`',
    account: 'ttl-after-finished-controller',
    wakesFor: [JOBS],
    async create(parts, { workloads }) {
      const { ttlAfterFinishedController } = await import('./ttl-after-finished/controller.ts');
      return ttlAfterFinishedController(parts, workloads.ttlAfterFinishedWorkers);
    },
  },
  {
    name: 'disruption-controller',
    alias: 'disruption',
    does: 'counts how many Pods of each PodDisruptionBudget may be disrupted; takes back a `DisruptionTarget` that nothing followed',
    account: 'disruption-controller',
    wakesFor: [POD_DISRUPTION_BUDGETS, PODS],
    async create(parts, { servedKinds }) {
      const { disruptionController } = await import('./disruption/controller.ts');
      return disruptionController(parts, servedKinds);
    },
  },
  {
    name: 'horizontal-pod-autoscaler-controller',
    alias: 'horizontalpodautoscaling',
    does: 'scales what HorizontalPodAutoscalers name, by what Pods use and by metrics of extension servers',
    account: 'horizontal-pod-autoscaler',
    wakesFor: [HORIZONTAL_POD_AUTOSCALERS],
    async create(parts, { workloads, servedKinds, remoteKinds, podMetrics }) {
      const { horizontalPodAutoscalerController } = await import('./horizontal-pod-autoscaler/controller.ts');
      return horizontalPodAutoscalerController(parts, {
        settings: workloads.autoscalers,
        kinds: servedKinds,
        isRemote: (group, version) => remoteKinds.isRemote(group, version),
        podMetrics,
      });
    },
  },
] as const satisfies readonly ControllerDeclaration<WorkloadNeeds>[];
