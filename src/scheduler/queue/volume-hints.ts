import type { PersistentVolume, PersistentVolumeClaim } from '../../model/generated/core-v1.ts';
import type { CSIStorageCapacity } from '../../model/generated/storage-v1.ts';
import { amountOf } from '../../reconcile/amounts.ts';
import type { RuleName } from '../filters/filter.ts';
import type { PendingPod } from '../objects/pending-pod.ts';
import type { EventKind, EventOf } from './cluster-event.ts';

type Hints<Kind extends EventKind> = Partial<
  Record<RuleName, (pod: PendingPod, event: EventOf<Kind>) => boolean>
>;

const isAdded = (_pod: PendingPod, { before, after }: { before?: unknown; after?: unknown }): boolean =>
  before === undefined && after !== undefined;
const isNew = (_pod: PendingPod, { after }: { after?: unknown }): boolean => after !== undefined;

const isOwn = ({ info }: PendingPod, claim: PersistentVolumeClaim | undefined): boolean =>
  claim?.metadata?.namespace === info.namespace &&
  info.claims.some(({ name }) => name === claim.metadata?.name);

export const CLAIM_HINTS: Hints<'claim'> = {
  VolumeRestrictions: (pod, event) => isAdded(pod, event) && isOwn(pod, event.after),
  NodeVolumeLimits: (pod, { after }) => isOwn(pod, after),
  VolumeBinding: (pod, { after }) => isOwn(pod, after),
  VolumeZone: (pod, { after }) => isOwn(pod, after),
};

export const VOLUME_HINTS: Hints<'volume'> = {
  VolumeBinding: isNew,
  VolumeZone: (_pod, { before, after }) =>
    after !== undefined && (before === undefined || labelText(before) !== labelText(after)),
};

const labelText = ({ metadata }: PersistentVolume): string => JSON.stringify(metadata?.labels);

export const CLASS_HINTS: Hints<'storageClass'> = {
  VolumeBinding: (_pod, { before, after }) =>
    after !== undefined &&
    (before === undefined ||
      JSON.stringify(before.allowedTopologies) !== JSON.stringify(after.allowedTopologies)),
  VolumeZone: (pod, event) =>
    isAdded(pod, event) && event.after?.volumeBindingMode === 'WaitForFirstConsumer',
};

export const CSI_NODE_HINTS: Hints<'csiNode'> = { NodeVolumeLimits: () => true, VolumeBinding: isAdded };

export const DRIVER_HINTS: Hints<'csiDriver'> = {
  VolumeBinding: (_pod, { before, after }) =>
    before?.spec?.storageCapacity === true && after?.spec?.storageCapacity !== true,
};

export const CAPACITY_HINTS: Hints<'capacity'> = {
  VolumeBinding: (_pod, { before, after }) =>
    after !== undefined && (before === undefined || limitOf(after) > limitOf(before)),
};

const limitOf = ({ maximumVolumeSize, capacity }: CSIStorageCapacity): number =>
  amountOf('storage', maximumVolumeSize ?? capacity ?? '0');

export const ATTACHMENT_HINTS: Hints<'attachment'> = {
  NodeVolumeLimits: (_pod, { after }) => after === undefined,
};
