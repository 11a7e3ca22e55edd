import { qualifiedName } from '../../model/name-syntax.ts';
import { isExtendedResource } from '../../model/resource-names.ts';
import { type FieldError, invalidFormatted } from '../../status/field-error.ts';
import { formatGoQuantity } from './go-value.ts';
import { isWholeText, validateNonNegativeQuantity } from './quantities.ts';

const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'];
const COUNTED = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];
const QUOTA = new Set([
  ...COMPUTE,
  ...COMPUTE.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  'requests.storage',
  ...COUNTED,
]);
const STANDARD = new Set([...QUOTA, 'storage']);
const INTEGERS = new Set(COUNTED);

/** Returns whether a resource is huge pages of one size, plain or in a quota. */
const isHugePages = (name: string): boolean =>
  name.startsWith('hugepages-') || name.startsWith('requests.hugepages-');

const isStandardResource = (name: string): boolean => STANDARD.has(name) || isHugePages(name);
export const isQuotaResource = (name: string): boolean => QUOTA.has(name) || isHugePages(name);

const isIntegerResource = (name: string): boolean => INTEGERS.has(name) || isExtendedResource(name);

/** Returns whether requests of a resource may be below its limits: native resources except huge pages. */
export const isOvercommitAllowed = (name: string): boolean =>
  (!name.includes('/') || name.includes('kubernetes.io/')) && !name.startsWith('hugepages-');

/** Validates a resource name: a standard resource or a name with a domain. */
export function validateResourceName(name: string, field: string): FieldError[] {
  const texts = qualifiedName(name);
  if (texts.length > 0) return texts.map((text) => invalidFormatted(field, name, text));
  return !name.includes('/') && !isStandardResource(name)
    ? [invalidFormatted(field, name, 'must be a standard resource type or fully qualified')]
    : [];
}

export function validateQuotaResourceName(name: string, field: string): FieldError[] {
  const errors = validateResourceName(name, field);
  if (!name.includes('/') && !isQuotaResource(name))
    errors.push(invalidFormatted(field, name, 'must be a standard resource for quota'));
  return errors;
}

/** Validates a quantity: not negative, and an integer for countable resources. */
export function validateResourceAmount(name: string, amount: string, field: string): FieldError[] {
  const errors = validateNonNegativeQuantity(amount, field);
  if (isIntegerResource(name) && !isWholeText(amount))
    errors.push(invalidFormatted(field, formatGoQuantity(amount), 'must be an integer'));
  return errors;
}

/** Validates the name of a resource that containers may request. */
export function validateContainerResourceName(name: string, field: string): FieldError[] {
  const errors = validateResourceName(name, field);
  const plain = !name.includes('/');
  if (plain && !COMPUTE.includes(name) && !name.startsWith('hugepages-'))
    errors.push(invalidFormatted(field, name, 'must be a standard resource for containers'));
  else if (!plain && !name.includes('kubernetes.io/') && !isExtendedResource(name)) {
    errors.push(invalidFormatted(field, name, "doesn't follow extended resource name standard"));
  }
  return errors;
}
