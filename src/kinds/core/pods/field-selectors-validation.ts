import type { ResourceFieldSelector } from '../../../model/generated/core-v1.ts';
import { configMapKey, dns1123Subdomain, qualifiedName } from '../../../model/name-syntax.ts';
import {
  type FieldError,
  invalid,
  invalidFormatted,
  notSupported,
  required,
} from '../../../status/field-error.ts';
import { invalidTexts } from '../../validation/fields.ts';
import { quantityTextSign } from '../../validation/quantities.ts';

/** Field paths of the downward API that are supported in environment variables. */
export const VARIABLE_PATHS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
/** Field paths of the downward API that are supported in volume files. */
export const FILE_PATHS = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

const SUPPORTED_PATHS = new Set([
  ...VARIABLE_PATHS,
  ...FILE_PATHS,
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
]);
const RESOURCES = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];
const HUGE_PAGES = /^(limits|requests)\.hugepages-/;

/** Validates a reference to a field of the pod, which must be one of the supported paths. */
export function validateFieldReference(
  { apiVersion = '', fieldPath = '' }: { apiVersion?: string; fieldPath?: string },
  supported: readonly string[],
  field: string,
): FieldError[] {
  if (apiVersion === '') return [required(`${field}.apiVersion`)];
  if (fieldPath === '') return [required(`${field}.fieldPath`)];
  const conversionError = (text: string): FieldError[] => [
    invalid(`${field}.fieldPath`, fieldPath, `error converting fieldPath: ${text}`),
  ];
  if (apiVersion !== 'v1') return conversionError(`unsupported pod version: ${apiVersion}`);
  const subscripted = splitSubscript(fieldPath);
  if (subscripted !== undefined) {
    const { path, key } = subscripted;
    if (path === 'metadata.annotations')
      return invalidTexts(field, key.toLowerCase(), qualifiedName(key.toLowerCase()));
    if (path === 'metadata.labels') return invalidTexts(field, key, qualifiedName(key));
    return conversionError(`field label does not support subscript: ${fieldPath}`);
  }
  const path = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath;
  if (!SUPPORTED_PATHS.has(path)) return conversionError(`field label not supported: ${fieldPath}`);
  return supported.includes(path) ? [] : [notSupported(`${field}.fieldPath`, path, supported)];
}

/** Splits `path['key']`. */
function splitSubscript(text: string): { path: string; key: string } | undefined {
  const start = text.indexOf("['");
  return start > 0 && text.length >= start + 4 && text.endsWith("']")
    ? { path: text.slice(0, start), key: text.slice(start + 2, -2) }
    : undefined;
}

/** @param needsContainer whether `containerName` is required, as it is for files */
export function validateResourceReference(
  { containerName = '', resource = '', divisor }: ResourceFieldSelector,
  field: string,
  { needsContainer }: { needsContainer: boolean },
): FieldError[] {
  const errors: FieldError[] = [];
  if (needsContainer && containerName === '') errors.push(required(`${field}.containerName`));
  else if (resource === '') errors.push(required(`${field}.resource`));
  else if (!RESOURCES.includes(resource) && !HUGE_PAGES.test(resource))
    errors.push(notSupported(`${field}.resource`, resource, RESOURCES));
  if (divisor === undefined || quantityTextSign(divisor) === 0) return errors;
  const measured = DIVISORS.find(({ resources }) => resources.test(resource));
  // The quantities are compared as text: `1024` is not `1Ki`.
  if (measured === undefined || measured.divisors.includes(divisor)) return errors;
  const { label, divisors } = measured;
  const listed = label === 'cpu' ? divisors.join(' and ') : divisors.join(', ');
  const text = `only divisor's values ${listed} are supported with the ${label} resource`;
  return [...errors, invalidFormatted(`${field}.divisor`, JSON.stringify(resource), text)];
}

const BYTE_DIVISORS = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];
const DIVISORS: readonly { resources: RegExp; label: string; divisors: readonly string[] }[] = [
  { resources: /^(limits|requests)\.cpu$/, label: 'cpu', divisors: ['1m', '1'] },
  { resources: /^(limits|requests)\.memory$/, label: 'memory', divisors: BYTE_DIVISORS },
  {
    resources: /^(limits|requests)\.ephemeral-storage$/,
    label: 'local ephemeral storage',
    divisors: BYTE_DIVISORS,
  },
  { resources: HUGE_PAGES, label: 'hugepages', divisors: BYTE_DIVISORS },
];

/** Validates a reference to a key of a config map or secret; an absent name is invalid. */
export function validateKeyReference(
  { name = '', key = '' }: { name?: string; key?: string },
  field: string,
): FieldError[] {
  return [
    ...invalidTexts(`${field}.name`, name, dns1123Subdomain(name)),
    ...(key === '' ? [required(`${field}.key`)] : invalidTexts(`${field}.key`, key, configMapKey(key))),
  ];
}
