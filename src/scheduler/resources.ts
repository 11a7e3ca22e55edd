import type { Resource } from '../reconcile/client.ts';

const resource = (group: string, version: string, name: string, kind: string): Resource => ({
  group,
  version,
  resource: name,
  kind,
});
const core = (name: string, kind: string): Resource => resource('', 'v1', name, kind);
const apps = (name: string, kind: string): Resource => resource('apps', 'v1', name, kind);
const storage = (name: string, kind: string): Resource => resource('storage.k8s.io', 'v1', name, kind);

export const NODES = core('nodes', 'Node');
export const SERVICES = core('services', 'Service');
export const REPLICATION_CONTROLLERS = core('replicationcontrollers', 'ReplicationController');
export const REPLICA_SETS = apps('replicasets', 'ReplicaSet');
export const STATEFUL_SETS = apps('statefulsets', 'StatefulSet');
export const BUDGETS = resource('policy', 'v1', 'poddisruptionbudgets', 'PodDisruptionBudget');
export const CSI_NODES = storage('csinodes', 'CSINode');
export const CSI_DRIVERS = storage('csidrivers', 'CSIDriver');
export const CAPACITIES = storage('csistoragecapacities', 'CSIStorageCapacity');
export const ATTACHMENTS = storage('volumeattachments', 'VolumeAttachment');
