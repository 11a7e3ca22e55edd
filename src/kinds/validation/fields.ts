import { dns1123Label, dns1123Subdomain, patternMessage } from '../../model/name-syntax.ts';
import type { MessageType } from '../../schema/message.ts';
import {
  type FieldError,
  forbidden,
  invalid,
  invalidFormatted,
  notSupported,
  required,
} from '../../status/field-error.ts';
import { formatGoValue } from './format-value.ts';
import { formatGo } from './go-value.ts';
import { NOT_NEGATIVE } from './quantities.ts';
import { semanticEqual } from './semantic-equal.ts';

/** Appends a list of any length; spreading a long list into `push` would overflow the stack. */
export function appendAll<T>(target: T[], more: readonly T[]): void {
  for (const one of more) target.push(one);
}

/** Converts the messages of a rule into errors of one field. */
export const invalidTexts = (field: string, value: unknown, texts: readonly string[]): FieldError[] =>
  texts.map((text) => invalid(field, value, text));

export { NOT_NEGATIVE };
export const IMMUTABLE = 'field is immutable';

/** Validates that a number is not negative; an absent number is valid. */
export const validateNonNegative = (value: number | bigint | undefined, field: string): FieldError[] =>
  value !== undefined && value < 0 ? [invalid(field, value, NOT_NEGATIVE)] : [];
export const validatePositive = (value: number | bigint | undefined, field: string): FieldError[] =>
  value !== undefined && value <= 0 ? [invalid(field, value, 'must be greater than 0')] : [];
export const validateRange = (
  value: number | bigint,
  low: number,
  high: number,
  field: string,
): FieldError[] =>
  value >= low && value <= high
    ? []
    : [invalid(field, value, `must be between ${low} and ${high}, inclusive`)];

/**
 * Rejects a change of an immutable field; the error contains the new value.
 * @param type message type of the value (or of its items), for semantic comparison
 * @param goType the Go type of a structure
 */
export const validateImmutable = (
  value: unknown,
  old: unknown,
  field: string,
  type?: MessageType,
  goType?: string,
): FieldError[] =>
  semanticEqual(value, old, type)
    ? []
    : [
        invalidFormatted(
          field,
          goType === undefined || value === undefined ? formatGoValue(value) : formatGo(goType, value),
          IMMUTABLE,
        ),
      ];

export const validateRequired = (value: unknown, field: string, detail = ''): FieldError[] =>
  value === undefined || value === null || value === '' ? [required(field, detail)] : [];

/** Validates that a value is one of a closed set; the error lists `supported` in the given order. */
export const validateOneOf = (
  value: string | undefined,
  supported: readonly string[],
  field: string,
): FieldError[] => (supported.includes(value ?? '') ? [] : [notSupported(field, value ?? '', supported)]);

export const forbiddenIf = (condition: boolean, field: string, detail: string): FieldError[] =>
  condition ? [forbidden(field, detail)] : [];

/** Validates a dotted name of at least three parts, as signers and drivers have. */
export function validateFullyQualifiedName(name: string, field: string): FieldError[] {
  if (name === '') return [required(field)];
  const texts = dns1123Subdomain(name);
  if (texts.length > 0) return invalidTexts(field, name, texts);
  return name.split('.').length < 3
    ? [invalid(field, name, 'should be a domain with at least three segments separated by dots')]
    : [];
}

/** Validates a host name of at least two labels; a trailing dot is valid. */
export function validateFullyQualifiedDomainName(name: string, field: string): FieldError[] {
  if (name === '') return [required(field)];
  const bare = name.endsWith('.') ? name.slice(0, -1) : name;
  const texts = dns1123Subdomain(bare);
  if (texts.length > 0) return invalidTexts(field, bare, texts);
  const labels = bare.split('.');
  if (labels.length < 2)
    return [invalid(field, bare, 'should be a domain with at least two segments separated by dots')];
  return labels.flatMap((label) => invalidTexts(field, label, dns1123Label(label)));
}

const DOMAIN_PATH = "/?[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const domainPathPattern = new RegExp(`^${DOMAIN_PATH}$`);

/** Validates a domain-prefixed path such as `example.com/path`. */
export function validateDomainPrefixedPath(value: string, field: string): FieldError[] {
  if (value === '') return [required(field)];
  const slash = value.indexOf('/');
  const host = value.slice(0, Math.max(slash, 0));
  const path = value.slice(slash + 1);
  if (slash < 1 || path === '')
    return [invalid(field, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  const errors = invalidTexts(field, host, dns1123Subdomain(host));
  if (!domainPathPattern.test(path))
    errors.push(invalid(field, path, patternMessage('Invalid path', DOMAIN_PATH)));
  return errors;
}
