import type { PersistentVolume, PersistentVolumeClaim } from '../../../src/model/generated/core-v1.ts';
import type { StorageClass } from '../../../src/model/generated/storage-v1.ts';
import type { ClaimView } from '../../../src/workloads/volumes/claim-plan.ts';

type Annotations = Record<string, string>;

/** A volume of 1Gi of the class `c`. */
export const volume = (
  name: string,
  spec: PersistentVolume['spec'] = {},
  { phase = 'Available', annotations = {} }: { phase?: string; annotations?: Annotations } = {},
): PersistentVolume => ({
  metadata: { name, uid: `uid-${name}`, annotations },
  spec: {
    accessModes: ['ReadWriteOnce'],
    capacity: { storage: '1Gi' },
    persistentVolumeReclaimPolicy: 'Retain',
    storageClassName: 'c',
    ...spec,
  },
  status: { phase },
});

/** A pending claim of 1Gi of the class `c`. */
export const claim = (
  name: string,
  spec: PersistentVolumeClaim['spec'] = {},
  annotations: Annotations = {},
): PersistentVolumeClaim => ({
  metadata: { name, namespace: 'ns', uid: `uid-${name}`, annotations },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    storageClassName: 'c',
    ...spec,
  },
  status: { phase: 'Pending' },
});

export const storageClass = (name: string, members: Partial<StorageClass> = {}): StorageClass => ({
  provisioner: 'example.com/disk',
  reclaimPolicy: 'Delete',
  volumeBindingMode: 'Immediate',
  ...members,
  metadata: { name, ...members.metadata },
});

/** What a volume says of the claim that it is for. */
export const reference = (name: string, uid?: string) => ({
  namespace: 'ns',
  name,
  ...(uid === undefined ? {} : { uid }),
});

/** A view of these objects. */
export const view = (
  volumes: readonly PersistentVolume[],
  others: Partial<{ classes: StorageClass[]; defaultClass: StorageClass; pods: string[] }> = {},
): ClaimView => ({
  volume: (name) => volumes.find(({ metadata }) => metadata!.name === name),
  candidates: () => volumes,
  storageClass: (name) => others.classes?.find(({ metadata }) => metadata!.name === name),
  defaultClass: () => others.defaultClass,
  waitingPods: () => others.pods ?? [],
});
