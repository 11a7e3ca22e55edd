import { cIdentifier, dns1123Subdomain } from '../../model/name-syntax.ts';
import {
  type FieldError,
  invalid,
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
export function validateQualifiedName(name: string, field: string): FieldError[] {
  if (name === '') return [required(field, 'name required')];
  const parts = name.split('/', 3);
  if (parts.length > 2) return [];
  const [first = '', second] = parts;
  if (second === undefined) return validateIdentifier(first, field);
  return [
    ...(first === '' ? [required(field, 'the domain must not be empty')] : validateDriverName(first, field)),
    ...(second === '' ? [required(field, 'the name must not be empty')] : validateIdentifier(second, field)),
  ];
}

/** Validates a qualified name with a domain. */
export function validateFullName(name: string, field: string): FieldError[] {
  const errors = validateQualifiedName(name, field);
  return name === '' || name.includes('/')
    ? errors
    : [...errors, invalid(field, name, 'must include a domain')];
}

function validateIdentifier(identifier: string, field: string): FieldError[] {
  return [
    ...(Buffer.byteLength(identifier) > MAXIMUM_IDENTIFIER_LENGTH
      ? [tooLong(field, MAXIMUM_IDENTIFIER_LENGTH)]
      : []),
    ...cIdentifier(identifier).map((text) => typeInvalidFormatted(field, JSON.stringify(identifier), text)),
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
