import type { Life } from '../../model/life.ts';
import { dns1123Subdomain, qualifiedName } from '../../model/name-syntax.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { type FieldError, required, tooLong } from '../../status/field-error.ts';
import { bytesOfMembers } from './check-members.ts';
import { invalidTexts } from './fields.ts';

const MAXIMUM_DRIVER_NAME_LENGTH = 63;
const MAXIMUM_PARAMETER_BYTES = 256 * 1024;
const MAXIMUM_PARAMETERS = 512;

/** Validates the name of a storage plugin: a qualified name in any case. */
export const validatePluginName = (name: string, field: string): FieldError[] =>
  name === '' ? [required(field)] : invalidTexts(field, name, qualifiedName(name.toLowerCase()));

/** The releases that report of a missing name only that it is missing. */
const REQUIRES_NAME_ONCE: Life = { since: '1.35' };

/** Validates the name of a CSI driver. */
export function validateDriverName(
  name: string,
  field: string,
  { has }: Pick<RuleContext, 'has'>,
): FieldError[] {
  if (name === '' && has(REQUIRES_NAME_ONCE)) return [required(field)];
  return [
    ...(name === '' ? [required(field)] : []),
    ...(Buffer.byteLength(name) > MAXIMUM_DRIVER_NAME_LENGTH
      ? [tooLong(field, MAXIMUM_DRIVER_NAME_LENGTH)]
      : []),
    ...invalidTexts(field, name, dns1123Subdomain(name.toLowerCase())),
  ];
}

/** Validates the parameters of a driver: bounded in number and bytes, without empty keys. */
export function validateParameters(
  parameters: Readonly<Record<string, string>> = {},
  field: string,
): FieldError[] {
  if (Object.keys(parameters).length > MAXIMUM_PARAMETERS) return [tooLong(field, MAXIMUM_PARAMETERS)];
  return [
    ...(Object.hasOwn(parameters, '') ? invalidTexts(field, '', ['field can not be empty.']) : []),
    ...(bytesOfMembers(parameters) > MAXIMUM_PARAMETER_BYTES
      ? [tooLong(field, MAXIMUM_PARAMETER_BYTES)]
      : []),
  ];
}
