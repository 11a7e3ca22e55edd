import type { Life } from '../../model/life.ts';
import { cIdentifier, dns1123Subdomain } from '../../model/name-syntax.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import {
  type FieldError,
  invalid,
  invalidFormatted,
  required,
  tooLong,
  typeInvalidFormatted,
} from '../../status/field-error.ts';
import { checkParts } from '../validation/check-parts.ts';
import { validateDriverName } from '../validation/drivers.ts';
import { invalidTexts } from '../validation/fields.ts';

const MAXIMUM_IDENTIFIER_LENGTH = 32;
const MAXIMUM_POOL_NAME_LENGTH = 253;

/** Validates the name of an attribute or capacity: an identifier, optionally with a domain. */
export function validateQualifiedName(name: string, field: string, context: RuleContext): FieldError[] {
  if (name === '') return [required(field, 'name required')];
  const parts = name.split('/', 3);
  if (parts.length > 2) return [];
  const [first = '', second] = parts;
  if (second === undefined) return validateIdentifier(first, field, context);
  return [
    ...(first === ''
      ? [required(field, 'the domain must not be empty')]
      : validateDriverName(first, field, context)),
    ...(second === ''
      ? [required(field, 'the name must not be empty')]
      : validateIdentifier(second, field, context)),
  ];
}

/** Validates a qualified name with a domain. */
export function validateFullName(name: string, field: string, context: RuleContext): FieldError[] {
  const errors = validateQualifiedName(name, field, context);
  return name === '' || name.includes('/')
    ? errors
    : [...errors, invalid(field, name, 'must include a domain')];
}

/** The releases that report a wrong identifier as an invalid value, not as one of another type. */
const REPORTS_VALUE: Life = { since: '1.34' };

function validateIdentifier(identifier: string, field: string, { has }: RuleContext): FieldError[] {
  const report = has(REPORTS_VALUE) ? invalidFormatted : typeInvalidFormatted;
  return [
    ...(Buffer.byteLength(identifier) > MAXIMUM_IDENTIFIER_LENGTH
      ? [tooLong(field, MAXIMUM_IDENTIFIER_LENGTH)]
      : []),
    ...cIdentifier(identifier).map((text) => report(field, JSON.stringify(identifier), text)),
  ];
}

/**
 * Validates the name of a pool: subdomains separated by slashes.
 * @param owner the object that has the name
 */
export function validatePoolName(owner: object, name: string, field: string): FieldError[] {
  if (name === '') return [required(field)];
  return [
    ...(Buffer.byteLength(name) > MAXIMUM_POOL_NAME_LENGTH ? [tooLong(field, MAXIMUM_POOL_NAME_LENGTH)] : []),
    ...checkParts(owner, { place: field, text: name, separator: '/' }, (part) =>
      invalidTexts(field, part, dns1123Subdomain(part)),
    ),
  ];
}
