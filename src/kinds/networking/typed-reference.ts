import { dns1123Subdomain, nameIsPathSegment } from '../../model/name-syntax.ts';
import { type FieldError, required } from '../../status/field-error.ts';
import { invalidTexts } from '../validation/fields.ts';

/** Validates a reference to an object of any kind: its parts are path segments. */
export function validateTypedReference(
  { apiGroup, kind = '', name = '' }: { apiGroup?: string; kind?: string; name?: string },
  field: string,
): FieldError[] {
  const segment = (value: string, member: string): FieldError[] =>
    value === ''
      ? [required(`${field}.${member}`, `${member} is required`)]
      : invalidTexts(`${field}.${member}`, value, nameIsPathSegment(value, false));
  return [
    ...(apiGroup === undefined
      ? []
      : invalidTexts(`${field}.apiGroup`, apiGroup, dns1123Subdomain(apiGroup))),
    ...segment(kind, 'kind'),
    ...segment(name, 'name'),
  ];
}
