import type { Resource } from './client.ts';

/** Resources that several controllers use. */
const core = (resource: string, kind: string): Resource => ({ group: '', version: 'v1', resource, kind });

export const CLAIMS = core('persistentvolumeclaims', 'PersistentVolumeClaim');
export const CONFIG_MAPS = core('configmaps', 'ConfigMap');
export const ENDPOINTS = core('endpoints', 'Endpoints');
export const EVENTS = core('events', 'Event');
export const NAMESPACES = core('namespaces', 'Namespace');
export const NODES = core('nodes', 'Node');
export const PODS = core('pods', 'Pod');
export const SERVICES = core('services', 'Service');
export const SERVICE_ACCOUNTS = core('serviceaccounts', 'ServiceAccount');
export const REPLICATION_CONTROLLERS = core('replicationcontrollers', 'ReplicationController');
export const VOLUMES = core('persistentvolumes', 'PersistentVolume');

const apps = (resource: string, kind: string): Resource => ({ group: 'apps', version: 'v1', resource, kind });

export const CONTROLLER_REVISIONS = apps('controllerrevisions', 'ControllerRevision');
export const DAEMON_SETS = apps('daemonsets', 'DaemonSet');
export const DEPLOYMENTS = apps('deployments', 'Deployment');
export const REPLICA_SETS = apps('replicasets', 'ReplicaSet');
export const STATEFUL_SETS = apps('statefulsets', 'StatefulSet');

const batch = (resource: string, kind: string): Resource => ({
  group: 'batch',
  version: 'v1',
  resource,
  kind,
});

export const CRON_JOBS = batch('cronjobs', 'CronJob');
export const JOBS = batch('jobs', 'Job');

/** Kinds of this version are served since 1.37. */
export const MIGRATIONS: Resource = {
  group: 'storagemigration.k8s.io',
  version: 'v1',
  resource: 'storageversionmigrations',
  kind: 'StorageVersionMigration',
};

export const ENDPOINT_SLICES: Resource = {
  group: 'discovery.k8s.io',
  version: 'v1',
  resource: 'endpointslices',
  kind: 'EndpointSlice',
};

export const LEASES: Resource = {
  group: 'coordination.k8s.io',
  version: 'v1',
  resource: 'leases',
  kind: 'Lease',
};

export const STORAGE_CLASSES: Resource = {
  group: 'storage.k8s.io',
  version: 'v1',
  resource: 'storageclasses',
  kind: 'StorageClass',
};

export const POD_DISRUPTION_BUDGETS: Resource = {
  group: 'policy',
  version: 'v1',
  resource: 'poddisruptionbudgets',
  kind: 'PodDisruptionBudget',
};

export const HORIZONTAL_POD_AUTOSCALERS: Resource = {
  group: 'autoscaling',
  version: 'v2',
  resource: 'horizontalpodautoscalers',
  kind: 'HorizontalPodAutoscaler',
};
