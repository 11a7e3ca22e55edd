import { STORAGE_CLASS_ANNOTATION } from '../../../model/annotations.ts';
import type { PersistentVolume, PersistentVolumeSpec, Volume } from '../../../model/generated/core-v1.ts';
import type { KubernetesObject } from '../../../model/object.ts';
import { type FieldError, forbidden } from '../../../status/index.ts';
import { defineResource } from '../../builtin-resource.ts';
import { dropGatedFields, type GatedField } from '../../gated-fields.ts';
import type { Strategy } from '../../strategy.ts';
import { roundResourceList } from '../../validation/quantities.ts';
import { selectorTermWarnings } from '../pods/pod-warnings.ts';
import { validateVolume, validateVolumeUpdate } from './persistent-volume-validation.ts';
import { setVolumeDefaults } from './volume-defaults.ts';
import { persistentVolumeTable } from './volume-tables.ts';

function defaultVolume(object: KubernetesObject): void {
  const volume = object as PersistentVolume;
  volume.status ??= {};
  volume.status.phase ||= 'Pending';
  volume.spec ??= {};
  const { spec } = volume;
  spec.persistentVolumeReclaimPolicy ||= 'Retain';
  spec.volumeMode ??= 'Filesystem';
  roundResourceList(spec.capacity);
  // These sources have the same defaults as in pod volumes.
  const { hostPath, iscsi, rbd, azureDisk, scaleIO } = spec;
  setVolumeDefaults({ hostPath, iscsi, rbd, azureDisk, scaleIO } as Volume);
}

const NON_FUNCTIONAL_SOURCES: readonly (readonly [member: keyof PersistentVolumeSpec, text: string])[] = [
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];
const MOUNT_OPTIONS = 'volume.beta.kubernetes.io/mount-options';
/** Sources whose mount options may be given by the annotation. */
const MOUNTABLE_SOURCES: readonly (keyof PersistentVolumeSpec)[] = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'iscsi',
  'cinder',
  'cephfs',
  'azureFile',
  'vsphereVolume',
  'azureDisk',
  'photonPersistentDisk',
];
const ANNOTATIONS = {
  [STORAGE_CLASS_ANNOTATION]: 'deprecated since v1.8; use "storageClassName" attribute instead',
  [MOUNT_OPTIONS]: 'deprecated since v1.31; use "mountOptions" attribute instead',
};

function warnings({ metadata, spec = {} }: PersistentVolume): string[] {
  return [
    ...Object.entries(ANNOTATIONS).flatMap(([name, text]) =>
      metadata?.annotations?.[name] === undefined ? [] : [`metadata.annotations[${name}]: ${text}`],
    ),
    ...(spec.persistentVolumeReclaimPolicy === 'Recycle'
      ? [
          'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
        ]
      : []),
    ...(spec.nodeAffinity?.required?.nodeSelectorTerms ?? []).flatMap((term, index) =>
      selectorTermWarnings(term, `spec.nodeAffinity.required.nodeSelectorTerms[${index}]`),
    ),
    ...NON_FUNCTIONAL_SOURCES.flatMap(([member, text]) =>
      spec[member] === undefined ? [] : [`spec.${member === 'storageos' ? 'storageOS' : member}: ${text}`],
    ),
  ];
}

function validateMountOptions({ metadata, spec = {} }: PersistentVolume): FieldError[] {
  if (metadata?.annotations?.[MOUNT_OPTIONS] === undefined) return [];
  if (MOUNTABLE_SOURCES.some((member) => spec[member] !== undefined)) return [];
  return [
    forbidden(`metadata.annotations.${MOUNT_OPTIONS}`, 'may not specify mount options for this volume type'),
  ];
}

const GATED: readonly GatedField<PersistentVolumeSpec>[] = [
  { gate: 'VolumeAttributesClass', member: 'volumeAttributesClassName', parents: (spec) => [spec] },
];

export const persistentVolumeStrategy: Strategy = {
  metadata: { checks: { update: ['whole', 'whole'] } },
  defaulting: { byVersion: { v1: defaultVolume } },
  dropDisabledFields: (object: PersistentVolume, old: PersistentVolume | undefined, context) =>
    dropGatedFields(GATED, object.spec, old?.spec, context),
  prepareForCreate(object, context) {
    (object as PersistentVolume).status = { phase: 'Pending', lastPhaseTransitionTime: context.now() };
  },
  prepareForSubresource: {
    status(object, old, context) {
      const [volume, oldVolume] = [object as PersistentVolume, old as PersistentVolume];
      volume.spec = oldVolume.spec;
      volume.status ??= {};
      const { status } = volume;
      const previous = oldVolume.status?.lastPhaseTransitionTime;
      if (status.phase === oldVolume.status?.phase) status.lastPhaseTransitionTime ??= previous;
      else if (status.lastPhaseTransitionTime === undefined || status.lastPhaseTransitionTime === previous)
        status.lastPhaseTransitionTime = context.now();
    },
  },
  validate: (object, context) => [
    ...validateVolume(object as PersistentVolume, context),
    ...validateMountOptions(object as PersistentVolume),
  ],
  validateUpdate: (object, old, context) => [
    ...validateVolume(object as PersistentVolume, context, old as PersistentVolume),
    ...validateMountOptions(object as PersistentVolume),
    // kube-apiserver validates a changed volume twice.
    ...validateVolume(object as PersistentVolume, context, old as PersistentVolume),
    ...validateVolumeUpdate(object as PersistentVolume, old as PersistentVolume, context),
  ],
  warnings: (object) => warnings(object as PersistentVolume),
  deletion: { returnsObject: true },
};

export const persistentVolumes = defineResource({
  group: '',
  versions: ['v1'],
  resource: 'persistentvolumes',
  kind: 'PersistentVolume',
  shortNames: ['pv'],
  scope: 'Cluster',
  subresources: ['status'],
  strategy: persistentVolumeStrategy,
  table: persistentVolumeTable,
});
