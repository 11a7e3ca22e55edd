import type { ReplicaSet } from '../../../src/model/generated/apps-v1.ts';
import type {
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  Service,
} from '../../../src/model/generated/core-v1.ts';
import type { PodDisruptionBudget } from '../../../src/model/generated/policy-v1.ts';
import type {
  DeviceClass,
  ResourceClaim,
  ResourceSlice,
} from '../../../src/model/generated/resource-v1beta1.ts';
import type { PriorityClass } from '../../../src/model/generated/scheduling-v1.ts';
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
} from '../../../src/model/generated/storage-v1.ts';

/** The objects of a cluster that matter to scheduling, and pods that are to be scheduled in it. */
export interface Situation {
  readonly namespaces: readonly Namespace[];
  readonly priorityClasses: readonly PriorityClass[];
  readonly nodes: readonly Node[];
  /** Pods on nodes. */
  readonly pods: readonly Pod[];
  readonly services: readonly Service[];
  readonly replicaSets: readonly ReplicaSet[];
  readonly budgets: readonly PodDisruptionBudget[];
  readonly storageClasses: readonly StorageClass[];
  readonly volumes: readonly PersistentVolume[];
  readonly claims: readonly PersistentVolumeClaim[];
  readonly csiNodes: readonly CSINode[];
  readonly csiDrivers: readonly CSIDriver[];
  readonly capacities: readonly CSIStorageCapacity[];
  /** Undefined: dynamic resource allocation is off. */
  readonly devices?: {
    readonly classes: readonly DeviceClass[];
    readonly slices: readonly ResourceSlice[];
    readonly claims: readonly ResourceClaim[];
  };
  /** Each is to be scheduled alone. */
  readonly probes: readonly Pod[];
}

export const EMPTY_SITUATION: Situation = {
  namespaces: [],
  priorityClasses: [],
  nodes: [],
  pods: [],
  services: [],
  replicaSets: [],
  budgets: [],
  storageClasses: [],
  volumes: [],
  claims: [],
  csiNodes: [],
  csiDrivers: [],
  capacities: [],
  probes: [],
};
