import { formatAddress } from '../../addresses/address.ts';
import { parseNetipPrefix } from '../../addresses/netip.ts';
import { networkAddress } from '../../addresses/range.ts';
import type { ServiceCIDR } from '../../model/generated/networking-v1beta1.ts';
import { type FieldError, invalid, invalidFormatted, required } from '../../status/field-error.ts';
import { defineResource } from '../builtin-resource.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { parseCidr } from '../validation/addresses.ts';
import { IMMUTABLE } from '../validation/fields.ts';
import { formatGoStrings } from '../validation/format-value.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';

const FIELD = 'spec.cidrs';

/** Validates CIDRs: one, or one of each address family. */
function validate({ spec }: ServiceCIDR): FieldError[] {
  const cidrs = spec?.cidrs ?? [];
  const reject = (detail: string): FieldError[] => [
    invalidFormatted(FIELD, `networking.ServiceCIDRSpec{CIDRs:${formatGoStrings(cidrs)}}`, detail),
  ];
  if (cidrs.length === 0) return [required(FIELD, 'at least one CIDR required')];
  if (cidrs.length > 2) return reject('may only hold up to 2 values');
  if (cidrs.length === 2 && !isDualStack(cidrs)) {
    return reject('may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64');
  }
  return cidrs.flatMap((cidr, index) => validateRange(cidr, `${FIELD}[${index}]`));
}

function isDualStack(cidrs: readonly string[]): boolean {
  const families = cidrs.map((cidr) => parseCidr(cidr)?.address.family);
  return families.includes(4) && families.includes(6);
}

function validateRange(cidr: string, field: string): FieldError[] {
  const range = parseNetipPrefix(cidr);
  if (typeof range === 'string') return [invalid(field, cidr, range)];
  const hasHostBits = networkAddress(range).value !== range.address.value;
  return [
    ...(hasHostBits ? [invalid(field, cidr, "wrong CIDR format, IP doesn't match network IP address")] : []),
    ...(formatAddress(range.address) === cidr.slice(0, cidr.lastIndexOf('/'))
      ? []
      : [invalid(field, cidr, 'CIDR not in RFC 5952 canonical format')]),
  ];
}

function validateUpdate(object: ServiceCIDR, old: ServiceCIDR): FieldError[] {
  const cidrs = object.spec?.cidrs;
  const same = semanticEqual(cidrs, old.spec?.cidrs);
  return [...validate(object), ...(same ? [] : [invalidFormatted(FIELD, formatGoStrings(cidrs), IMMUTABLE)])];
}

export const serviceCidrStrategy: Strategy = {
  metadata: { checks: { update: ['change', 'whole'] } },
  validate: (object) => validate(object as ServiceCIDR),
  validateUpdate: (object, old) => validateUpdate(object as ServiceCIDR, old as ServiceCIDR),
  status: {
    updatesMetadata: false,
    keptOnCreate: true,
    writtenByUpdates: true,
  },
  // kube-apiserver declares its reset fields for a group that does not exist.
  resetFields: { '': [], status: [] },
};

export const serviceCidrs = defineResource({
  group: 'networking.k8s.io',
  versions: [
    { name: 'v1', since: '1.33' },
    { name: 'v1beta1', until: '1.37', deprecation: { since: '1.34', unavailable: '1.37' } },
  ],
  resource: 'servicecidrs',
  kind: 'ServiceCIDR',
  scope: 'Cluster',
  subresources: ['status'],
  strategy: serviceCidrStrategy,
  table: table<ServiceCIDR>([NAME, column('CIDRs', 'Address ranges.'), AGE], (object) => [
    nameOf(object),
    (object.spec?.cidrs ?? []).join(','),
    ageOf(object),
  ]),
  descriptions: {
    ServiceCIDR: 'CIDR from which addresses of services are allocated.',
  },
});
