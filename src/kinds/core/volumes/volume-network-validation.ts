import type { Volume } from '../../../model/generated/core-v1.ts';
import { dns1123Label } from '../../../model/name-syntax.ts';
import { type FieldError, invalid, notSupported, required } from '../../../status/field-error.ts';
import { invalidTexts, validateOneOf, validateRange } from '../../validation/fields.ts';

const MAXIMUM_TENANT_BYTES = 64;
/** Maximum number of host:port pairs in a Quobyte registry. */
const MAXIMUM_PAIRS = 10_000;
const QUOBYTE_REGISTRY = 'must be a host:port pair or multiple pairs separated by commas';
const RESERVED_DOMAINS = ['.kubernetes.io', '.k8s.io'];
const MANAGED_DISK =
  '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const BLOB_DISK = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

const validateLun = (lun: number, field: string): FieldError[] => validateRange(lun, 0, 255, `${field}.lun`);

const INITIATOR_FORMS = [
  ['iqn', /^iqn\.\d{4}-\d{2}\.[A-Za-z0-9.-]+:[^,;*&$|\s]+$/],
  ['eui', /^eui.[A-Za-z0-9]{16}$/],
  ['naa', /^naa.[A-Za-z0-9]{32}$/],
] as const;

/** Validates the name of an iSCSI initiator or target. */
function validateInitiator(name: string, field: string): FieldError[] {
  const form = INITIATOR_FORMS.find(([prefix]) => name.startsWith(prefix));
  if (form === undefined)
    return [invalid(field, name, 'must be valid format starting with iqn, eui, or naa')];
  return form[1].test(name) ? [] : [invalid(field, name, 'must be valid format')];
}

/** Validates an iSCSI source. */
export function validateIscsi(iscsi: NonNullable<Volume['iscsi']>, field: string): FieldError[] {
  const { iqn = '', initiatorName, lun = 0, chapAuthDiscovery, chapAuthSession, secretRef } = iscsi;
  return [
    ...requireMembers(iscsi, field, 'targetPortal', 'iqn'),
    ...(iqn === '' ? [] : validateInitiator(iqn, `${field}.iqn`)),
    ...validateLun(lun, field),
    ...((chapAuthDiscovery || chapAuthSession) && secretRef === undefined
      ? [required(`${field}.secretRef`)]
      : []),
    ...(initiatorName === undefined ? [] : validateInitiator(initiatorName, `${field}.initiatorname`)),
  ];
}

/** Validates a Flocker source. */
export function validateFlocker(
  { datasetName = '', datasetUUID = '' }: NonNullable<Volume['flocker']>,
  field: string,
): FieldError[] {
  const errors: FieldError[] =
    datasetName === '' && datasetUUID === ''
      ? [required(field, 'one of datasetName and datasetUUID is required')]
      : [];
  if (datasetName !== '' && datasetUUID !== '')
    errors.push(
      invalid(field, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'),
    );
  if (datasetName.includes('/'))
    errors.push(invalid(`${field}.datasetName`, datasetName, "must not contain '/'"));
  return errors;
}

/** Validates a Fibre Channel source. */
export function validateFibreChannel(
  { targetWWNs = [], wwids = [], lun }: NonNullable<Volume['fc']>,
  field: string,
): FieldError[] {
  const at = `${field}.targetWWNs`;
  const errors: FieldError[] =
    targetWWNs.length === 0 && wwids.length === 0
      ? [required(at, 'must specify either targetWWNs or wwids, but not both')]
      : [];
  if (targetWWNs.length === 0) return errors;
  if (wwids.length > 0)
    errors.push(invalid(at, targetWWNs, 'targetWWNs and wwids can not be specified simultaneously'));
  const lunErrors =
    lun === undefined
      ? [required(`${field}.lun`, 'lun is required if targetWWNs is specified')]
      : validateLun(lun, field);
  return [...errors, ...lunErrors];
}

/** Validates an Azure disk source. */
export function validateAzureDisk(disk: NonNullable<Volume['azureDisk']>, field: string): FieldError[] {
  const { cachingMode, kind, diskURI = '' } = disk;
  const errors = requireMembers(disk, field, 'diskName', 'diskURI');
  if (cachingMode !== undefined)
    errors.push(...validateOneOf(cachingMode, ['None', 'ReadOnly', 'ReadWrite'], `${field}.cachingMode`));
  if (kind === undefined) return errors;
  errors.push(...validateOneOf(kind, ['Dedicated', 'Managed', 'Shared'], `${field}.kind`));
  const [start, form] = kind === 'Managed' ? ['/subscriptions/', MANAGED_DISK] : ['https://', BLOB_DISK];
  if (!diskURI.startsWith(start)) errors.push(notSupported(`${field}.diskURI`, diskURI, [form]));
  return errors;
}

/**
 * Whether a text splits into a host and a port as Go's `net.SplitHostPort` does: one colon, or an address in
 * brackets before the last colon. Neither part is checked; both may be empty.
 */
function isHostAndPort(text: string): boolean {
  const colon = text.lastIndexOf(':');
  if (colon < 0) return false;
  if (!text.startsWith('[')) return text.indexOf(':') === colon && !/[[\]]/.test(text);
  const end = text.indexOf(']');
  return end >= 0 && end + 1 === colon && !text.slice(1).includes('[') && !text.slice(end + 1).includes(']');
}

/** Validates a Quobyte source; each malformed pair is reported. */
export function validateQuobyte(
  { registry = '', tenant = '', volume = '' }: NonNullable<Volume['quobyte']>,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (registry === '') errors.push(required(`${field}.registry`, QUOBYTE_REGISTRY));
  else if (Buffer.byteLength(tenant) > MAXIMUM_TENANT_BYTES)
    errors.push(required(`${field}.tenant`, 'must be a UUID and may not exceed a length of 64 characters'));
  else {
    // Pairs above the maximum are reported once.
    const pairs = registry.split(',', MAXIMUM_PAIRS + 1);
    for (const [index, pair] of pairs.entries()) {
      if (index === MAXIMUM_PAIRS || !isHostAndPort(pair))
        errors.push(invalid(`${field}.registry`, registry, QUOBYTE_REGISTRY));
    }
  }
  return volume === '' ? [...errors, required(`${field}.volume`)] : errors;
}

/** Validates a FlexVolume; the Kubernetes domains are reserved in option keys. */
export function validateFlexVolume(flex: NonNullable<Volume['flexVolume']>, field: string): FieldError[] {
  const errors = requireMembers(flex, field, 'driver');
  for (const key of Object.keys(flex.options ?? {})) {
    const slash = key.indexOf('/');
    const domain = `.${(slash < 0 ? key : key.slice(0, slash)).toLowerCase()}`;
    if (RESERVED_DOMAINS.some((reserved) => domain.endsWith(reserved)))
      errors.push(
        invalid(`${field}.options[${key}]`, key, 'kubernetes.io and k8s.io namespaces are reserved'),
      );
  }
  return errors;
}

/** Validates a StorageOS source. */
export function validateStorageOs(storageos: NonNullable<Volume['storageos']>, field: string): FieldError[] {
  const { volumeName = '', volumeNamespace = '', secretRef } = storageos;
  return [
    ...requireMembers(storageos, field, 'volumeName'),
    ...(volumeName === '' ? [] : invalidTexts(`${field}.volumeName`, volumeName, dns1123Label(volumeName))),
    ...(volumeNamespace === ''
      ? []
      : invalidTexts(`${field}.volumeNamespace`, volumeNamespace, dns1123Label(volumeNamespace))),
    ...(secretRef === undefined ? [] : requireMembers(secretRef, `${field}.secretRef`, 'name')),
  ];
}

/** Returns a `Required value` error for each absent or empty member. */
export function requireMembers(source: object | undefined, field: string, ...names: string[]): FieldError[] {
  return names.flatMap((name) => {
    const value = (source as Record<string, unknown> | undefined)?.[name];
    const isEmpty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
    return isEmpty ? [required(`${field}.${name}`)] : [];
  });
}
