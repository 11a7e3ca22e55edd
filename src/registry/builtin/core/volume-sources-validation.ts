import { type FieldError, forbidden, invalid, notSupported, required, tooLong } from '../../../status/field-error.ts';
import { appendAll, invalidTexts, validateOneOf, validateRange } from '../../validation/fields.ts';
import { dns1123Label, dns1123Subdomain } from '../../validation/names.ts';
import { quantityTextSign } from '../../validation/quantities.ts';
import { validateClaimTemplate } from './ephemeral-claim-validation.ts';
import { FILE_PATHS, validateFieldReference, validateResourceReference } from './field-selectors-validation.ts';
import { PULL_POLICIES } from './image-reference.ts';
import { validateDescendingPath, validateFilePath, validateNoBacksteps } from './paths-validation.ts';
import type { KeyToPath, Volume } from './pod-types.ts';

type Rule = (volume: Volume, field: string) => FieldError[];

const HOST_PATH_TYPES = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];
const MODE_TEXT = 'must be a number between 0 and 0777 (octal), both inclusive';
const MAXIMUM_MODE = 0o777;

/** Members that must not be empty. */
function given(source: object | undefined, field: string, ...names: string[]): FieldError[] {
  return names.flatMap((name) => {
    const value = (source as Record<string, unknown> | undefined)?.[name];
    return value === undefined || value === '' || (Array.isArray(value) && value.length === 0) ? [required(`${field}.${name}`)] : [];
  });
}

const validateMode = (mode: number | undefined, field: string): FieldError[] =>
  mode !== undefined && (mode < 0 || mode > MAXIMUM_MODE) ? [invalid(field, mode, MODE_TEXT)] : [];

function validateItems(items: readonly KeyToPath[] = [], field: string): FieldError[] {
  return items.flatMap(({ key = '', path = '', mode }, index) => {
    const at = `${field}.items[${index}]`;
    return [
      ...(key === '' ? [required(`${at}.key`)] : []),
      ...(path === '' ? [required(`${at}.path`)] : []),
      ...validateFilePath(path, `${at}.path`),
      ...validateMode(mode, `${at}.mode`),
    ];
  });
}

type DownwardFile = NonNullable<NonNullable<Volume['downwardAPI']>['items']>[number];

/** The path of these errors has no index: so it is on the wire. */
function validateDownwardFiles(files: readonly DownwardFile[] = [], field: string): FieldError[] {
  return files.flatMap(({ path = '', fieldRef, resourceFieldRef, mode }) => {
    const errors = [...(path === '' ? [required(`${field}.path`)] : []), ...validateFilePath(path, `${field}.path`)];
    if (fieldRef !== undefined) {
      errors.push(...validateFieldReference(fieldRef, FILE_PATHS, `${field}.fieldRef`));
      if (resourceFieldRef !== undefined) errors.push(invalid(field, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'));
    } else if (resourceFieldRef !== undefined)
      errors.push(...validateResourceReference(resourceFieldRef, `${field}.resourceFieldRef`, { needsContainer: true }));
    else errors.push(required(field, 'one of fieldRef and resourceFieldRef is required'));
    return [...errors, ...validateMode(mode, `${field}.mode`)];
  });
}

const SHORTEST_TOKEN_SECONDS = 600;
const LONGEST_TOKEN_SECONDS = 2 ** 32;

function validateProjected(projected: NonNullable<Volume['projected']>, field: string): FieldError[] {
  const paths = new Set<string>();
  const errors = validateMode(projected.defaultMode, `${field}.defaultMode`);
  (projected.sources ?? []).forEach((source, index) => {
    const at = `${field}.sources[${index}]`;
    let count = 0;
    const claim = (path: string, shown: unknown, where: string): void => {
      if (path === '') return;
      if (paths.has(path)) errors.push(invalid(where, shown, 'conflicting duplicate paths'));
      paths.add(path);
    };
    for (const name of ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken'] as const) {
      if (source[name] === undefined) continue;
      count += 1;
      const where = `${at}.${name}`;
      if (count > 1) errors.push(forbidden(where, 'may not specify more than 1 volume type'));
      else if (name === 'downwardAPI') {
        appendAll(errors, validateDownwardFiles(source.downwardAPI?.items, where));
        for (const { path = '' } of source.downwardAPI?.items ?? []) claim(path, path, where);
      } else if (name === 'serviceAccountToken') {
        const { expirationSeconds = 0, path = '' } = source.serviceAccountToken ?? {};
        if (expirationSeconds < SHORTEST_TOKEN_SECONDS)
          errors.push(invalid(`${where}.expirationSeconds`, expirationSeconds, 'may not specify a duration less than 10 minutes'));
        if (expirationSeconds > LONGEST_TOKEN_SECONDS)
          errors.push(invalid(`${where}.expirationSeconds`, expirationSeconds, 'may not specify a duration larger than 2^32 seconds'));
        errors.push(...(path === '' ? [required(`${where}.path`)] : validateFilePath(path, `${where}.path`)));
        claim(path, path, `${where}.path`);
      } else {
        appendAll(errors, given(source[name], where, 'name'));
        appendAll(errors, validateItems(source[name]?.items, where));
        for (const { path = '' } of source[name]?.items ?? []) claim(path, source[name]?.name ?? '', where);
      }
    }
  });
  return errors;
}

const partition = (value: number | undefined, field: string): FieldError[] => (value === undefined ? [] : validateRange(value, 0, 255, `${field}.partition`));
const lun = (value: number | undefined, field: string): FieldError[] => (value === undefined ? [] : validateRange(value, 0, 255, `${field}.lun`));

/** One rule a source, in the order in which the reference looks at them. */
export const volumeSourceRules: readonly (readonly [name: Exclude<keyof Volume, 'name'>, rule: Rule])[] = [
  ['image', ({ image }, field) => [...given(image, field, 'reference'), ...validateOneOf(image?.pullPolicy, PULL_POLICIES, `${field}.pullPolicy`)]],
  [
    'emptyDir',
    ({ emptyDir }, field) =>
      emptyDir?.sizeLimit !== undefined && quantityTextSign(emptyDir.sizeLimit) < 0
        ? [forbidden(`${field}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')]
        : [],
  ],
  [
    'hostPath',
    ({ hostPath }, field) => [
      ...given(hostPath, field, 'path'),
      ...validateNoBacksteps(hostPath?.path ?? '', `${field}.path`),
      ...validateOneOf(hostPath?.type, HOST_PATH_TYPES, `${field}.type`),
    ],
  ],
  ['gitRepo', ({ gitRepo }, field) => [...given(gitRepo, field, 'repository'), ...validateDescendingPath(gitRepo?.directory ?? '', `${field}.directory`)]],
  ['gcePersistentDisk', ({ gcePersistentDisk: disk }, field) => [...given(disk, field, 'pdName'), ...partition(disk?.partition, field)]],
  ['awsElasticBlockStore', ({ awsElasticBlockStore: disk }, field) => [...given(disk, field, 'volumeID'), ...partition(disk?.partition, field)]],
  [
    'secret',
    ({ secret }, field) => [
      ...given(secret, field, 'secretName'),
      ...validateMode(secret?.defaultMode, `${field}.defaultMode`),
      ...validateItems(secret?.items, field),
    ],
  ],
  [
    'nfs',
    ({ nfs }, field) => [
      ...given(nfs, field, 'server', 'path'),
      ...(nfs?.path?.startsWith('/') ? [] : [invalid(`${field}.path`, nfs?.path ?? '', 'must be an absolute path')]),
    ],
  ],
  ['iscsi', ({ iscsi }, field) => validateIscsi(iscsi!, field)],
  ['glusterfs', ({ glusterfs }, field) => given(glusterfs, field, 'endpoints', 'path')],
  ['flocker', ({ flocker }, field) => validateFlocker(flocker!, field)],
  ['persistentVolumeClaim', ({ persistentVolumeClaim }, field) => given(persistentVolumeClaim, field, 'claimName')],
  ['rbd', ({ rbd }, field) => given(rbd, field, 'monitors', 'image')],
  [
    'cinder',
    ({ cinder }, field) => [
      ...given(cinder, field, 'volumeID'),
      ...(cinder?.secretRef === undefined ? [] : given(cinder.secretRef, `${field}.secretRef`, 'name')),
    ],
  ],
  ['cephfs', ({ cephfs }, field) => given(cephfs, field, 'monitors')],
  [
    'downwardAPI',
    ({ downwardAPI }, field) => [...validateMode(downwardAPI?.defaultMode, `${field}.defaultMode`), ...validateDownwardFiles(downwardAPI?.items, field)],
  ],
  ['fc', ({ fc }, field) => validateFibreChannel(fc!, field)],
  [
    'configMap',
    ({ configMap }, field) => [
      ...given(configMap, field, 'name'),
      ...validateMode(configMap?.defaultMode, `${field}.defaultMode`),
      ...validateItems(configMap?.items, field),
    ],
  ],
  ['azureFile', ({ azureFile }, field) => given(azureFile, field, 'secretName', 'shareName')],
  ['vsphereVolume', ({ vsphereVolume }, field) => given(vsphereVolume, field, 'volumePath')],
  ['photonPersistentDisk', ({ photonPersistentDisk }, field) => given(photonPersistentDisk, field, 'pdID')],
  ['portworxVolume', ({ portworxVolume }, field) => given(portworxVolume, field, 'volumeID')],
  ['azureDisk', ({ azureDisk }, field) => validateAzureDisk(azureDisk!, field)],
  [
    'storageos',
    ({ storageos }, field) =>
      storageos?.volumeName ? invalidTexts(`${field}.volumeName`, storageos.volumeName, dns1123Label(storageos.volumeName)) : [required(`${field}.volumeName`)],
  ],
  ['projected', ({ projected }, field) => validateProjected(projected!, field)],
  ['scaleIO', ({ scaleIO }, field) => given(scaleIO, field, 'gateway', 'system', 'volumeName')],
  ['quobyte', ({ quobyte }, field) => [...given(quobyte, field, 'registry'), ...given(quobyte, field, 'volume')]],
  ['flexVolume', ({ flexVolume }, field) => validateFlexVolume(flexVolume!, field)],
  [
    'csi',
    ({ csi }, field) => [
      ...validateDriverName(csi?.driver ?? '', `${field}.driver`),
      ...(csi?.nodePublishSecretRef === undefined ? [] : given(csi.nodePublishSecretRef, `${field}.nodePublishSecretRef`, 'name')),
    ],
  ],
  [
    'ephemeral',
    ({ ephemeral }, field) =>
      ephemeral?.volumeClaimTemplate === undefined
        ? [required(`${field}.volumeClaimTemplate`)]
        : validateClaimTemplate(ephemeral.volumeClaimTemplate, `${field}.volumeClaimTemplate`),
  ],
];

/** Names of storage drivers are domains, capitals allowed. */
export function validateDriverName(driver: string, field: string): FieldError[] {
  if (driver === '') return [required(field)];
  return [...(Buffer.byteLength(driver) > 63 ? [tooLong(field, 63)] : []), ...invalidTexts(field, driver, dns1123Subdomain(driver.toLowerCase()))];
}

function validateIscsi(iscsi: NonNullable<Volume['iscsi']>, field: string): FieldError[] {
  const { iqn = '' } = iscsi;
  const errors = given(iscsi, field, 'targetPortal', 'iqn');
  const isWellFormed =
    /^iqn\.\d{4}-\d{2}\.([a-z0-9-.]+)(:([^,;*&$|\s]+))$/i.test(iqn) || /^eui\.[0-9A-Fa-f]{16}$/.test(iqn) || /^naa\.[0-9A-Fa-f]{32}$/.test(iqn);
  if (iqn !== '' && !/^(iqn|eui|naa)/.test(iqn)) errors.push(invalid(`${field}.iqn`, iqn, 'must be valid format starting with iqn, eui, or naa'));
  else if (iqn !== '' && !isWellFormed) errors.push(invalid(`${field}.iqn`, iqn, 'must be valid format'));
  errors.push(...lun(iscsi.lun, field));
  if ((iscsi.chapAuthDiscovery || iscsi.chapAuthSession) && iscsi.secretRef === undefined) errors.push(required(`${field}.secretRef`));
  return errors;
}

function validateFlocker({ datasetName = '', datasetUUID = '' }: NonNullable<Volume['flocker']>, field: string): FieldError[] {
  const errors: FieldError[] = datasetName === '' && datasetUUID === '' ? [required(field, 'one of datasetName and datasetUUID is required')] : [];
  if (datasetName !== '' && datasetUUID !== '') errors.push(invalid(field, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'));
  if (datasetName.includes('/')) errors.push(invalid(`${field}.datasetName`, datasetName, "must not contain '/'"));
  return errors;
}

function validateFibreChannel({ targetWWNs = [], wwids = [], lun: unit }: NonNullable<Volume['fc']>, field: string): FieldError[] {
  const errors: FieldError[] =
    targetWWNs.length === 0 && wwids.length === 0 ? [required(`${field}.targetWWNs`, 'must specify either targetWWNs or wwids, but not both')] : [];
  if (targetWWNs.length > 0 && wwids.length > 0)
    errors.push(invalid(`${field}.targetWWNs`, targetWWNs, 'targetWWNs and wwids can not be specified simultaneously'));
  if (targetWWNs.length > 0) errors.push(...(unit === undefined ? [required(`${field}.lun`, 'lun is required if targetWWNs is specified')] : lun(unit, field)));
  return errors;
}

function validateAzureDisk(disk: NonNullable<Volume['azureDisk']>, field: string): FieldError[] {
  const errors = given(disk, field, 'diskName', 'diskURI');
  if (disk.cachingMode !== undefined) errors.push(...validateOneOf(disk.cachingMode, ['None', 'ReadOnly', 'ReadWrite'], `${field}.cachingMode`));
  if (disk.kind !== undefined) errors.push(...validateOneOf(disk.kind, ['Dedicated', 'Managed', 'Shared'], `${field}.kind`));
  const { diskURI = '' } = disk;
  if (disk.kind === 'Managed' && !diskURI.startsWith('/subscriptions/'))
    errors.push(notSupported(`${field}.diskURI`, diskURI, ['/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}']));
  if (disk.kind !== undefined && disk.kind !== 'Managed' && !diskURI.startsWith('https://'))
    errors.push(notSupported(`${field}.diskURI`, diskURI, ['https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd']));
  return errors;
}

function validateFlexVolume(flex: NonNullable<Volume['flexVolume']>, field: string): FieldError[] {
  const errors = given(flex, field, 'driver');
  for (const key of Object.keys(flex.options ?? {})) {
    const [domain = ''] = key.split('/');
    if (key.includes('/') && /(^|\.)(kubernetes|k8s)\.io$/.test(domain))
      errors.push(invalid(`${field}.options[${key}]`, key, 'kubernetes.io and k8s.io namespaces are reserved'));
  }
  return errors;
}
