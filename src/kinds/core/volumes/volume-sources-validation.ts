import type { Volume } from '../../../model/generated/core-v1.ts';
import { dns1123Subdomain } from '../../../model/name-syntax.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import { type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import { validateDriverName } from '../../validation/drivers.ts';
import { invalidTexts, validateOneOf } from '../../validation/fields.ts';
import { quantityTextSign } from '../../validation/quantities.ts';
import { PULL_POLICIES } from '../pods/image-reference.ts';
import { validateDescendingPath, validateNoBacksteps } from '../pods/paths-validation.ts';
import {
  validateDownwardFiles,
  validateItems,
  validateMode,
  validateProjected,
} from './volume-files-validation.ts';
import {
  requireMembers,
  validateAzureDisk,
  validateFibreChannel,
  validateFlexVolume,
  validateFlocker,
  validateIscsi,
  validateQuobyte,
  validateStorageOs,
} from './volume-network-validation.ts';

type Rule = (volume: Volume, field: string, context: RuleContext) => FieldError[];
/** Name of a source member of a pod volume. */
export type VolumeSourceName = Exclude<keyof Volume, 'name'>;

const HOST_PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

/** Validates a partition. As in kube-apiserver, the message states 1 as the minimum but 0 is accepted. */
const validatePartition = (partition: number | undefined, field: string): FieldError[] =>
  partition !== undefined && (partition < 0 || partition > 255)
    ? [invalid(`${field}.partition`, partition, 'must be between 1 and 255, inclusive')]
    : [];

/** Path segments of source errors that differ from the member's name. */
export const RULE_PATHS: Readonly<Partial<Record<VolumeSourceName, string>>> = {
  gcePersistentDisk: 'persistentDisk',
};
/** Path segments that differ in the error about a second source. */
export const FORBIDDEN_PATHS: Readonly<Partial<Record<VolumeSourceName, string>>> = {
  cephfs: 'cephFS',
  downwardAPI: 'downwarAPI',
};

/** Rules of the sources, in kube-apiserver's validation order. */
export const volumeSourceRules: readonly (readonly [name: VolumeSourceName, rule: Rule])[] = [
  [
    'emptyDir',
    ({ emptyDir }, field) =>
      emptyDir?.sizeLimit !== undefined && quantityTextSign(emptyDir.sizeLimit) < 0
        ? [forbidden(`${field}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')]
        : [],
  ],
  [
    'hostPath',
    ({ hostPath: { path = '', type } = {} }, field) =>
      path === ''
        ? [required(`${field}.path`)]
        : [
            ...validateNoBacksteps(path, `${field}.path`),
            ...(type === undefined ? [] : validateOneOf(type, HOST_PATH_TYPES, `${field}.type`)),
          ],
  ],
  [
    'gitRepo',
    ({ gitRepo }, field) => [
      ...requireMembers(gitRepo, field, 'repository'),
      ...validateDescendingPath(gitRepo?.directory ?? '', `${field}.directory`),
    ],
  ],
  [
    'gcePersistentDisk',
    ({ gcePersistentDisk: disk }, field) => [
      ...requireMembers(disk, field, 'pdName'),
      ...validatePartition(disk?.partition, field),
    ],
  ],
  [
    'awsElasticBlockStore',
    ({ awsElasticBlockStore: disk }, field) => [
      ...requireMembers(disk, field, 'volumeID'),
      ...validatePartition(disk?.partition, field),
    ],
  ],
  [
    'secret',
    ({ secret }, field) => [
      ...requireMembers(secret, field, 'secretName'),
      ...validateMode(secret?.defaultMode, `${field}.defaultMode`),
      ...validateItems(secret?.items, field),
    ],
  ],
  [
    'nfs',
    ({ nfs }, field) => [
      ...requireMembers(nfs, field, 'server', 'path'),
      ...(nfs?.path?.startsWith('/')
        ? []
        : [invalid(`${field}.path`, nfs?.path ?? '', 'must be an absolute path')]),
    ],
  ],
  ['iscsi', ({ iscsi }, field) => validateIscsi(iscsi!, field)],
  ['glusterfs', ({ glusterfs }, field) => requireMembers(glusterfs, field, 'endpoints', 'path')],
  ['flocker', ({ flocker }, field) => validateFlocker(flocker!, field)],
  [
    'persistentVolumeClaim',
    ({ persistentVolumeClaim }, field) => requireMembers(persistentVolumeClaim, field, 'claimName'),
  ],
  ['rbd', ({ rbd }, field) => requireMembers(rbd, field, 'monitors', 'image')],
  [
    'cinder',
    ({ cinder }, field) => [
      ...requireMembers(cinder, field, 'volumeID'),
      ...(cinder?.secretRef === undefined
        ? []
        : requireMembers(cinder.secretRef, `${field}.secretRef`, 'name')),
    ],
  ],
  ['cephfs', ({ cephfs }, field) => requireMembers(cephfs, field, 'monitors')],
  ['quobyte', ({ quobyte }, field) => validateQuobyte(quobyte!, field)],
  [
    'downwardAPI',
    ({ downwardAPI }, field) => [
      ...validateMode(downwardAPI?.defaultMode, `${field}.defaultMode`),
      ...validateDownwardFiles(downwardAPI?.items, field),
    ],
  ],
  ['fc', ({ fc }, field) => validateFibreChannel(fc!, field)],
  ['flexVolume', ({ flexVolume }, field) => validateFlexVolume(flexVolume!, field)],
  [
    'configMap',
    ({ configMap }, field) => [
      ...requireMembers(configMap, field, 'name'),
      ...validateMode(configMap?.defaultMode, `${field}.defaultMode`),
      ...validateItems(configMap?.items, field),
    ],
  ],
  ['azureFile', ({ azureFile }, field) => requireMembers(azureFile, field, 'secretName', 'shareName')],
  ['vsphereVolume', ({ vsphereVolume }, field) => requireMembers(vsphereVolume, field, 'volumePath')],
  [
    'photonPersistentDisk',
    ({ photonPersistentDisk }, field) => requireMembers(photonPersistentDisk, field, 'pdID'),
  ],
  ['portworxVolume', ({ portworxVolume }, field) => requireMembers(portworxVolume, field, 'volumeID')],
  ['azureDisk', ({ azureDisk }, field) => validateAzureDisk(azureDisk!, field)],
  ['storageos', ({ storageos }, field) => validateStorageOs(storageos!, field)],
  ['projected', ({ projected }, field) => validateProjected(projected!, field)],
  ['scaleIO', ({ scaleIO }, field) => requireMembers(scaleIO, field, 'gateway', 'system', 'volumeName')],
  ['csi', ({ csi }, field, context) => validateCsi(csi!, field, context)],
  [
    'ephemeral',
    // Its template is validated with the name that its claim will have.
    ({ ephemeral }, field) =>
      ephemeral?.volumeClaimTemplate === undefined ? [required(`${field}.volumeClaimTemplate`)] : [],
  ],
  [
    'image',
    ({ image }, field) => [
      ...requireMembers(image, field, 'reference'),
      ...(image?.pullPolicy
        ? validateOneOf(image.pullPolicy, PULL_POLICIES, `${field}.pullPolicy`)
        : [required(`${field}.pullPolicy`)]),
    ],
  ],
];

/** Validates a CSI source; kube-apiserver reports an invalid secret name at `name` of the source. */
function validateCsi(
  { driver = '', nodePublishSecretRef: secret }: NonNullable<Volume['csi']>,
  field: string,
  context: RuleContext,
): FieldError[] {
  const { name = '' } = secret ?? {};
  return [
    ...validateDriverName(driver, `${field}.driver`, context),
    ...(secret === undefined ? [] : requireMembers(secret, `${field}.nodePublishSecretRef`, 'name')),
    ...(name === '' ? [] : invalidTexts(`${field}.name`, name, dns1123Subdomain(name))),
  ];
}
