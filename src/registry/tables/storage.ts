import type { CSIDriver, CSINode, StorageClass, VolumeAttachment } from '../../model/generated/storage-v1.ts';
import type { VolumeAttributesClass } from '../../model/generated/storage-v1beta1.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from './define.ts';
import { isMarked, orNone } from './format.ts';

const DEFAULT_CLASS = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];
const DEFAULT_ATTRIBUTES = 'volumeattributesclass.alpha.kubernetes.io/is-default-class';

/** Formats the name, marking a default class. */
const classNameOf = (object: StorageClass | VolumeAttributesClass, ...marks: string[]): string =>
  isMarked(object.metadata?.annotations, ...marks) ? `${nameOf(object)} (default)` : nameOf(object);

export const storageClasses = table<StorageClass>(
  [
    NAME,
    column('Provisioner', 'Provisioner of the volumes.'),
    column('ReclaimPolicy', 'What happens to a volume when its claim is deleted.'),
    column('VolumeBindingMode', 'When claims are bound.'),
    column('AllowVolumeExpansion', 'Whether claims can be expanded.'),
    AGE,
  ],
  (object) => [
    classNameOf(object, ...DEFAULT_CLASS),
    object.provisioner ?? '',
    object.reclaimPolicy ?? 'Delete',
    object.volumeBindingMode ?? 'Immediate',
    object.allowVolumeExpansion ?? false,
    ageOf(object),
  ],
);

export const volumeAttributesClasses = table<VolumeAttributesClass>(
  [NAME, column('DriverName', 'Driver of the volumes.'), AGE],
  (object) => [classNameOf(object, DEFAULT_ATTRIBUTES), object.driverName ?? '', ageOf(object)],
);

export const volumeAttachments = table<VolumeAttachment>(
  [
    NAME,
    column('Attacher', 'Driver that attaches the volume.', 'string', 'name'),
    column('PV', 'The volume.'),
    column('Node', 'Node to which the volume is attached.'),
    column('Attached', 'Whether it is attached.', 'boolean'),
    AGE,
  ],
  (object) => [
    nameOf(object),
    object.spec?.attacher ?? '',
    object.spec?.source?.persistentVolumeName ?? '',
    object.spec?.nodeName ?? '',
    object.status?.attached ?? false,
    ageOf(object),
  ],
);

export const csiDrivers = table<CSIDriver>(
  [
    NAME,
    column('AttachRequired', 'Whether volumes are attached before they are mounted.', 'boolean'),
    column('PodInfoOnMount', 'Whether the driver receives pod information on mount.', 'boolean'),
    column('StorageCapacity', 'Whether the driver publishes storage capacity.', 'boolean'),
    column('TokenRequests', 'Audiences of the tokens that the driver receives.'),
    column('RequiresRepublish', 'Whether the driver is called periodically to republish volumes.', 'boolean'),
    column('Modes', 'Life cycles of volumes that it supports.'),
    AGE,
  ],
  (object) => {
    const { spec } = object;
    const audiences = (spec?.tokenRequests ?? []).map(({ audience = '' }) => audience);
    return [
      nameOf(object),
      spec?.attachRequired ?? true,
      spec?.podInfoOnMount ?? false,
      spec?.storageCapacity ?? false,
      audiences.length === 0 ? '<unset>' : audiences.join(','),
      spec?.requiresRepublish ?? false,
      orNone((spec?.volumeLifecycleModes ?? []).join(',')),
      ageOf(object),
    ];
  },
);

export const csiNodes = table<CSINode>(
  [NAME, column('Drivers', 'Number of drivers on the node.', 'integer'), AGE],
  (object) => [nameOf(object), object.spec?.drivers?.length ?? 0, ageOf(object)],
);
