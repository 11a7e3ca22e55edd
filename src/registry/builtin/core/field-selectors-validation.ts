import { type FieldError, invalid, notSupported, required } from '../../../status/field-error.ts';
import { invalidTexts } from '../../validation/fields.ts';
import { configMapKey, qualifiedName } from '../../validation/names.ts';
import { compareQuantityTexts, quantityTextSign } from '../../validation/quantities.ts';
import { invalidShown } from '../../validation/shown.ts';

/** What a pod can tell its containers about itself, as variables and as files. */
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
export const FILE_PATHS = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];

const KNOWN_PATHS = new Set([...VARIABLE_PATHS, ...FILE_PATHS, 'spec.restartPolicy', 'spec.schedulerName', 'status.phase']);
const RESOURCES = ['limits.cpu', 'limits.ephemeral-storage', 'limits.memory', 'requests.cpu', 'requests.ephemeral-storage', 'requests.memory'];
const HUGE_PAGES = /^(limits|requests)\.hugepages-/;

export function validateFieldReference(
  { apiVersion = '', fieldPath = '' }: { apiVersion?: string; fieldPath?: string },
  supported: readonly string[],
  field: string,
): FieldError[] {
  if (apiVersion === '') return [required(`${field}.apiVersion`)];
  if (fieldPath === '') return [required(`${field}.fieldPath`)];
  const wrong = (text: string): FieldError[] => [invalid(`${field}.fieldPath`, fieldPath, `error converting fieldPath: ${text}`)];
  if (apiVersion !== 'v1') return wrong(`unsupported pod version: ${apiVersion}`);
  const bracket = fieldPath.endsWith("']") ? fieldPath.slice(0, -2).indexOf("['") : -1;
  if (bracket > 0) {
    const path = fieldPath.slice(0, bracket);
    const key = fieldPath.slice(bracket + 2, -2);
    if (path === 'metadata.annotations') return invalidTexts(field, key, qualifiedName(key.toLowerCase()));
    if (path === 'metadata.labels') return invalidTexts(field, key, qualifiedName(key));
    return wrong(`field label does not support subscript: ${fieldPath}`);
  }
  const path = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath;
  if (!KNOWN_PATHS.has(path)) return wrong(`field label not supported: ${fieldPath}`);
  return supported.includes(path) ? [] : [notSupported(`${field}.fieldPath`, path, supported)];
}

interface ResourceReference {
  containerName?: string;
  resource?: string;
  divisor?: string;
}

/** @param needsContainer files have to say whose resource they mean */
export function validateResourceReference(
  { containerName = '', resource = '', divisor }: ResourceReference,
  field: string,
  { needsContainer }: { needsContainer: boolean },
): FieldError[] {
  const errors: FieldError[] = [];
  if (needsContainer && containerName === '') errors.push(required(`${field}.containerName`));
  else if (resource === '') errors.push(required(`${field}.resource`));
  else if (!RESOURCES.includes(resource) && !HUGE_PAGES.test(resource)) errors.push(notSupported(`${field}.resource`, resource, RESOURCES));
  if (divisor === undefined || quantityTextSign(divisor) === 0) return errors;
  const [what, divisors] = resource.endsWith('.cpu') ? ['cpu', CPU_DIVISORS] : [BYTE_RESOURCES.find(([part]) => resource.includes(part))?.[1], BYTE_DIVISORS];
  if (what !== undefined && !divisors.some((one) => compareQuantityTexts(one, divisor) === 0)) {
    errors.push(
      invalidShown(
        `${field}.divisor`,
        JSON.stringify(resource),
        `only divisor's values ${what === 'cpu' ? '1m and 1' : BYTE_DIVISORS.join(', ')} are supported with the ${what} resource`,
      ),
    );
  }
  return errors;
}

const CPU_DIVISORS = ['1m', '1'];
const BYTE_DIVISORS = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];
const BYTE_RESOURCES = [
  ['.memory', 'memory'],
  ['.hugepages-', 'hugepages'],
  ['.ephemeral-storage', 'local ephemeral storage'],
] as const;

/** One key of a config map or secret. */
export function validateKeyReference({ name = '', key = '' }: { name?: string; key?: string }, field: string): FieldError[] {
  return [
    ...(name === '' ? [required(`${field}.name`)] : []),
    ...(key === '' ? [required(`${field}.key`)] : invalidTexts(`${field}.key`, key, configMapKey(key))),
  ];
}
