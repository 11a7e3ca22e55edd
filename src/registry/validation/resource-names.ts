import { isWholeQuantity } from '../../model/quantity.ts';
import type { FieldError } from '../../status/field-error.ts';
import { invalidFormatted } from './format-value.ts';
import { qualifiedName } from './names.ts';
import { readQuantity, validateNonNegativeQuantity } from './quantities.ts';

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

/** Huge pages of one size, plain or as a quota of requests. */
const isHugePages = (name: string): boolean =>
  name.startsWith('hugepages-') || name.startsWith('requests.hugepages-');

const isStandardResource = (name: string): boolean => STANDARD.has(name) || isHugePages(name);
export const isQuotaResource = (name: string): boolean => QUOTA.has(name) || isHugePages(name);

/** Devices and the like: qualified names outside the system's own domain. */
export function isExtendedResource(name: string): boolean {
  if (!name.includes('/') || name.includes('kubernetes.io/') || name.startsWith('requests.')) return false;
  return qualifiedName(`requests.${name}`).length === 0;
}

const isIntegerResource = (name: string): boolean => INTEGERS.has(name) || isExtendedResource(name);

/** Amounts may be more than what is there for the system's own resources, but huge pages. */
export const isOvercommitAllowed = (name: string): boolean =>
  (!name.includes('/') || name.includes('kubernetes.io/')) && !name.startsWith('hugepages-');

/** A name known to everybody, or one with a domain. */
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

/** An amount is never negative, and whole for what can only be counted. */
export function validateResourceAmount(name: string, amount: string, field: string): FieldError[] {
  const errors = validateNonNegativeQuantity(amount, field);
  if (isIntegerResource(name) && !isWholeQuantity(readQuantity(amount)))
    errors.push(invalidFormatted(field, formatQuantityValue(amount, false), 'must be an integer'));
  return errors;
}

/**
 * The reference's own notation of a quantity; `printed` when its text was made before, as it is in most
 * messages that repeat it.
 */
export function formatQuantityValue(text: string, printed: boolean): string {
  const quantity = readQuantity(text);
  const { format } = quantity;
  let { unscaled, scale } = quantity;
  // Canonical texts avoid the decimal point; what was written rarely had these zeros.
  for (; scale < 0 && unscaled !== 0n && unscaled % 10n === 0n; scale += 1) unscaled /= 10n;
  return `resource.Quantity{i:resource.int64Amount{value:${unscaled}, scale:${scale}}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:${JSON.stringify(printed ? text : '')}, Format:${JSON.stringify(format)}}`;
}

/** A name that containers can ask for. */
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
