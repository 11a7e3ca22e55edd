import type { PersistentVolumeSpec } from '../../../model/generated/core-v1.ts';
import { getMember } from '../../../model/object.ts';
import { type FieldError, invalid, notSupported, required } from '../../../status/field-error.ts';
import { invalidTexts } from '../../validation/fields.ts';
import { dns1123Subdomain } from '../../validation/names.ts';

/** Members of a volume's specification that are sources, in the order in which they are looked at. */
export const SOURCE_MEMBERS = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
] as const;
type SourceMember = (typeof SOURCE_MEMBERS)[number];
type Source = Readonly<Record<string, unknown>>;

/** Texts (or lists) that must not be empty, by source. */
const REQUIRED: Readonly<Partial<Record<SourceMember, readonly string[]>>> = {
  hostPath: ['path'],
  gcePersistentDisk: ['pdName'],
  awsElasticBlockStore: ['volumeID'],
  glusterfs: ['endpoints', 'path'],
  nfs: ['server', 'path'],
  rbd: ['monitors', 'image'],
  quobyte: ['registry', 'volume'],
  cephfs: ['monitors'],
  iscsi: ['targetPortal', 'iqn'],
  cinder: ['volumeID'],
  flexVolume: ['driver'],
  azureFile: ['secretName', 'shareName'],
  vsphereVolume: ['volumePath'],
  photonPersistentDisk: ['pdID'],
  portworxVolume: ['volumeID'],
  azureDisk: ['diskName', 'diskURI'],
  scaleIO: ['gateway', 'system', 'volumeName'],
  local: ['path'],
  csi: ['driver', 'volumeHandle'],
};

const HOST_PATH_TYPES = ['', 'DirectoryOrCreate', 'Directory', 'FileOrCreate', 'File', 'Socket', 'CharDevice', 'BlockDevice'];
const SECRET_REFERENCES = ['controllerPublishSecretRef', 'nodePublishSecretRef', 'nodeStageSecretRef', 'controllerExpandSecretRef', 'nodeExpandSecretRef'];

export function validateSource(spec: PersistentVolumeSpec, member: SourceMember, volumeName: string): FieldError[] {
  const source = spec[member] as unknown as Source;
  const field = `spec.${member}`;
  const isEmpty = (value: unknown): boolean => value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  return [
    ...(REQUIRED[member] ?? []).flatMap((name) => (isEmpty(getMember(source, name)) ? [required(`${field}.${name}`)] : [])),
    ...(RULES[member]?.(source, field, volumeName) ?? []),
  ];
}

const RULES: Readonly<Partial<Record<SourceMember, (source: Source, field: string, volumeName: string) => FieldError[]>>> = {
  hostPath: ({ path, type }, field) => [
    ...pathErrors(path, `${field}.path`),
    ...(type === undefined || HOST_PATH_TYPES.includes(String(type)) ? [] : [notSupported(`${field}.type`, type, [...HOST_PATH_TYPES].sort())]),
  ],
  local: ({ path }, field) => pathErrors(path, `${field}.path`),
  nfs: ({ path }, field) =>
    typeof path === 'string' && path !== '' && !path.startsWith('/') ? [invalid(`${field}.path`, path, 'must be an absolute path')] : [],
  gcePersistentDisk: partition,
  awsElasticBlockStore: partition,
  iscsi: ({ lun = 0, iqn = '' }, field) => [
    ...(Number(lun) < 0 || Number(lun) > 255 ? [invalid(`${field}.lun`, lun, 'must be between 0 and 255, inclusive')] : []),
    ...(iqn !== '' && !/^(iqn|eui|naa)/.test(String(iqn)) ? [invalid(`${field}.iqn`, iqn, 'must be valid format starting with iqn, eui, or naa')] : []),
  ],
  fc: ({ targetWWNs = [], wwids = [], lun }, field) => {
    const [targets, identifiers] = [targetWWNs as unknown[], wwids as unknown[]];
    if (targets.length === 0 && identifiers.length === 0) return [required(`${field}.targetWWNs`, 'must specify either targetWWNs or wwids, but not both')];
    if (targets.length > 0 && identifiers.length > 0)
      return [invalid(`${field}.targetWWNs`, targets, 'targetWWNs and wwids can not be specified simultaneously')];
    if (targets.length === 0) return [];
    if (lun === undefined) return [required(`${field}.lun`, 'lun is required if targetWWNs is specified')];
    return Number(lun) < 0 || Number(lun) > 255 ? [invalid(`${field}.lun`, lun, 'must be between 0 and 255, inclusive')] : [];
  },
  csi: (source, field) => {
    const { driver = '' } = source;
    return [
      ...(driver === '' ? [] : driverErrors(String(driver), `${field}.driver`)),
      ...SECRET_REFERENCES.flatMap((member) => {
        const reference = source[member] as { name?: string; namespace?: string } | undefined;
        if (reference === undefined) return [];
        return (['name', 'namespace'] as const).flatMap((part) => (reference[part] ? [] : [required(`${field}.${member}.${part}`)]));
      }),
    ];
  },
};

function partition({ partition: number = 0 }: Source, field: string): FieldError[] {
  return Number(number) < 0 || Number(number) > 255 ? [invalid(`${field}.partition`, number, 'must be between 0 and 255, inclusive')] : [];
}

/** Host and local paths can't step back. */
function pathErrors(path: unknown, field: string): FieldError[] {
  return typeof path === 'string' && path.split('/').includes('..') ? [invalid(field, path, "must not contain '..'")] : [];
}

const LONGEST_DRIVER = 63;

function driverErrors(driver: string, field: string): FieldError[] {
  if (Buffer.byteLength(driver) > LONGEST_DRIVER) {
    return [{ type: 'FieldValueTooLong', field, body: `Too long: may not be more than ${LONGEST_DRIVER} bytes` }];
  }
  return invalidTexts(field, driver, dns1123Subdomain(driver.toLowerCase()));
}
