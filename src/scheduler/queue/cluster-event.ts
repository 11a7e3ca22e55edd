import type { PersistentVolume, PersistentVolumeClaim } from '../../model/generated/core-v1.ts';
import type { ResourceClaim } from '../../model/generated/resource-v1beta1.ts';
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
} from '../../model/generated/storage-v1.ts';
import type { NodeInfo } from '../objects/node-info.ts';
import type { PendingPod } from '../objects/pending-pod.ts';
import type { PodInfo } from '../objects/pod-info.ts';

/** An object was added (`before` is undefined), changed or removed (`after` is undefined). */
interface Change<Kind extends string, Value> {
  readonly kind: Kind;
  readonly before: Value | undefined;
  readonly after: Value | undefined;
}

/** What happened in the cluster, for pods that wait for something to change. */
export type ClusterEvent =
  | Change<'node', NodeInfo>
  /** A pod that is on a node. */
  | Change<'pod', PodInfo>
  /** The waiting pod itself. */
  | Change<'self', PendingPod>
  | Change<'claim', PersistentVolumeClaim>
  | Change<'volume', PersistentVolume>
  | Change<'storageClass', StorageClass>
  | Change<'csiNode', CSINode>
  | Change<'csiDriver', CSIDriver>
  | Change<'capacity', CSIStorageCapacity>
  | Change<'attachment', object>
  | Change<'resourceClaim', ResourceClaim>
  | Change<'deviceClass', object>
  | Change<'resourceSlice', object>;

export type EventKind = ClusterEvent['kind'];
/** The events of one kind. */
export type EventOf<Kind extends EventKind> = Extract<ClusterEvent, { kind: Kind }>;
