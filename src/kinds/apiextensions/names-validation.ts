import type { CustomResourceDefinitionNames } from '../../model/generated/apiextensions-v1.ts';
import { dns1035Label } from '../../model/name-syntax.ts';
import { type FieldError, invalid, required } from '../../status/field-error.ts';

const MIXED_CASE = 'may have mixed case, but should otherwise match: ';

function validateLabel(value: string, field: string, { mixedCase = false } = {}): FieldError[] {
  const texts = dns1035Label(mixedCase ? value.toLowerCase() : value);
  return texts.length === 0 ? [] : [invalid(field, value, (mixedCase ? MIXED_CASE : '') + texts.join(','))];
}

/** Validates the names that are set. */
export function validateNames(
  {
    plural = '',
    singular = '',
    kind = '',
    listKind = '',
    shortNames = [],
    categories = [],
  }: CustomResourceDefinitionNames,
  field: string,
): FieldError[] {
  const validateOptional = (value: string, member: string, mixedCase = false): FieldError[] =>
    value === '' ? [] : validateLabel(value, `${field}.${member}`, { mixedCase });
  return [
    ...validateOptional(plural, 'plural'),
    ...validateOptional(singular, 'singular'),
    ...validateOptional(kind, 'kind', true),
    ...validateOptional(listKind, 'listKind', true),
    ...shortNames.flatMap((name, index) => validateLabel(name, `${field}.shortNames[${index}]`)),
    ...(kind !== '' && kind === listKind
      ? [invalid(`${field}.listKind`, listKind, 'kind and listKind may not be the same')]
      : []),
    ...categories.flatMap((name, index) => validateLabel(name, `${field}.categories[${index}]`)),
  ];
}

export const requireNames = (names: CustomResourceDefinitionNames, field: string): FieldError[] =>
  (['plural', 'singular', 'kind', 'listKind'] as const).flatMap((member) =>
    names[member] ? [] : [required(`${field}.${member}`)],
  );
