import type { IPAddress } from '../../../model/generated/networking-v1beta1.ts';
import { type FieldError, required } from '../../../status/field-error.ts';
import type { Strategy } from '../../strategy.ts';
import { formatAddress, parseAddress } from '../../validation/address-values.ts';
import { INVALID_IP } from '../../validation/addresses.ts';
import { invalidTexts, validateImmutable } from '../../validation/fields.ts';
import { dns1123Subdomain, nameIsPathSegment } from '../../validation/names.ts';

/** The name is the address, in its one canonical form. */
function validateName(name: string): string[] {
  const address = parseAddress(name);
  if (address === undefined) return [INVALID_IP];
  return formatAddress(address) === name ? [] : ['must be a canonical format IP address'];
}

function validate({ spec }: IPAddress): FieldError[] {
  const { parentRef } = spec ?? {};
  const field = 'spec.parentRef';
  if (parentRef === undefined) return [required(field)];
  const { group = '', resource = '', namespace = '', name = '' } = parentRef;
  const segment = (value: string, member: string): FieldError[] => invalidTexts(`${field}.${member}`, value, nameIsPathSegment(value, false));
  return [
    ...(group === '' ? [] : invalidTexts(`${field}.group`, group, dns1123Subdomain(group))),
    ...(resource === '' ? [required(`${field}.resource`)] : segment(resource, 'resource')),
    ...(namespace === '' ? [] : segment(namespace, 'namespace')),
    ...(name === '' ? [required(`${field}.name`)] : segment(name, 'name')),
  ];
}

export const ipAddressStrategy: Strategy = {
  validateName,
  validate: (object) => validate(object as IPAddress),
  validateUpdate: (object, old) => validateImmutable((object as IPAddress).spec?.parentRef, (old as IPAddress).spec?.parentRef, 'spec.parentRef'),
  managesGeneration: true,
};
