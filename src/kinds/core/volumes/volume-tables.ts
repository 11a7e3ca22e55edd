import { STORAGE_CLASS_ANNOTATION } from '../../../model/annotations.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../model/generated/core-v1.ts';
import { AGE, ageOf, column, NAME, nameOf, table, wide } from '../../tables/define.ts';
import { formatAccessModes, orUnset } from '../../tables/format.ts';

/** Returns the class of a volume or claim: the legacy annotation, else the spec. */
function classOf({ metadata, spec }: PersistentVolume | PersistentVolumeClaim): string {
  const { annotations = {} } = metadata ?? {};
  return (
    (Object.hasOwn(annotations, STORAGE_CLASS_ANNOTATION)
      ? annotations[STORAGE_CLASS_ANNOTATION]
      : spec?.storageClassName) ?? ''
  );
}

const phaseOf = ({ metadata, status }: PersistentVolume | PersistentVolumeClaim): string =>
  metadata?.deletionTimestamp !== undefined ? 'Terminating' : (status?.phase ?? '');

const CAPACITY = column('Capacity', 'Size of the volume.');
const ACCESS_MODES = column('Access Modes', 'How the volume may be mounted.');
const STORAGE_CLASS = column('StorageClass', 'Storage class of the volume.');
const ATTRIBUTES_CLASS = column('VolumeAttributesClass', 'Class of mutable volume attributes.');
const VOLUME_MODE = wide('VolumeMode', 'File system or raw block device.');

export const persistentVolumeTable = table<PersistentVolume>(
  [
    NAME,
    CAPACITY,
    ACCESS_MODES,
    column('Reclaim Policy', 'What happens to the volume when its claim is deleted.'),
    column('Status', 'Phase of the volume.'),
    column('Claim', 'The claim it is bound to.'),
    STORAGE_CLASS,
    ATTRIBUTES_CLASS,
    column('Reason', 'Why the volume is in its phase.'),
    AGE,
    VOLUME_MODE,
  ],
  (object) => {
    const { spec, status } = object;
    const claim = spec?.claimRef;
    return [
      nameOf(object),
      spec?.capacity?.['storage'] ?? '0',
      formatAccessModes(spec?.accessModes),
      spec?.persistentVolumeReclaimPolicy ?? '',
      phaseOf(object),
      claim === undefined ? '' : `${claim.namespace ?? ''}/${claim.name ?? ''}`,
      classOf(object),
      orUnset(spec?.volumeAttributesClassName),
      status?.reason ?? '',
      ageOf(object),
      orUnset(spec?.volumeMode),
    ];
  },
);

export const persistentVolumeClaimTable = table<PersistentVolumeClaim>(
  [
    NAME,
    column('Status', 'Phase of the claim.'),
    column('Volume', 'The volume it is bound to.'),
    CAPACITY,
    ACCESS_MODES,
    STORAGE_CLASS,
    ATTRIBUTES_CLASS,
    AGE,
    VOLUME_MODE,
  ],
  (object) => {
    const { spec, status } = object;
    const bound = spec?.volumeName !== undefined && spec.volumeName !== '';
    return [
      nameOf(object),
      phaseOf(object),
      spec?.volumeName ?? '',
      bound ? (status?.capacity?.['storage'] ?? '0') : '',
      bound ? formatAccessModes(status?.accessModes) : '',
      classOf(object),
      orUnset(spec?.volumeAttributesClassName),
      ageOf(object),
      orUnset(spec?.volumeMode),
    ];
  },
);
