import type { ServiceCIDR } from '../../../model/generated/networking-v1beta1.ts';
import { duplicate, type FieldError, invalid, required } from '../../../status/field-error.ts';
import { parseAddressRange } from '../../allocation/address-range.ts';
import type { Strategy } from '../../strategy.ts';
import { validateCidr } from '../../validation/addresses.ts';
import { validateImmutable } from '../../validation/fields.ts';
import { invalidShown, shownStrings } from '../../validation/shown.ts';

const MINIMUM_PREFIX = { IPv4: 0, IPv6: 64 } as const;

/** One range, or one of each family. */
function validate({ spec }: ServiceCIDR): FieldError[] {
  const cidrs = spec?.cidrs ?? [];
  if (cidrs.length === 0) return [required('spec.cidrs', 'at least one CIDR required')];
  if (cidrs.length > 2) return [invalidShown('spec', shownStrings(cidrs), 'may only hold up to 2 values')];
  const errors = cidrs.flatMap((cidr, index) => {
    const field = `spec.cidrs[${index}]`;
    const malformed = validateCidr(cidr, field);
    const range = parseAddressRange(cidr);
    if (malformed.length > 0 || range === undefined) return malformed;
    if (range.cidr !== cidr) return [invalid(field, cidr, `CIDR value ${JSON.stringify(cidr)} is not in canonical format (${JSON.stringify(range.cidr)})`)];
    return Number(cidr.split('/')[1]) < MINIMUM_PREFIX[range.family] ? [invalid(field, cidr, 'prefix is too short')] : [];
  });
  if (errors.length > 0 || cidrs.length < 2) return errors;
  if (cidrs[0] === cidrs[1]) return [duplicate('spec.cidrs[1]', cidrs[1])];
  const families = new Set(cidrs.map((cidr) => parseAddressRange(cidr)?.family));
  return families.size === 2
    ? []
    : [invalidShown('spec.cidrs', shownStrings(cidrs), 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64')];
}

export const serviceCidrStrategy: Strategy = {
  validate: (object) => validate(object as ServiceCIDR),
  validateUpdate: (object, old) => validateImmutable((object as ServiceCIDR).spec?.cidrs, (old as ServiceCIDR).spec?.cidrs, 'spec.cidrs'),
  managesGeneration: true,
};
