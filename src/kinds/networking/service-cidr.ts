import { formatAddress } from '../../addresses/address.ts';
import { parseNetipPrefix } from '../../addresses/netip.ts';
import { networkAddress } from '../../addresses/range.ts';
import type { ServiceCIDR } from '../../model/generated/networking-v1beta1.ts';
import type { Life } from '../../model/life.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { type FieldError, invalid, invalidFormatted, required } from '../../status/field-error.ts';
import { defineResource } from '../builtin-resource.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from '../tables/define.ts';
import { parseCidr, validateStrictCidr } from '../validation/addresses.ts';
import { IMMUTABLE } from '../validation/fields.ts';
import { formatGoStrings } from '../validation/format-value.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';

const FIELD = 'spec.cidrs';
/** The releases that let an update add a range of the other family, and that ask for another form of ranges. */
const IS_EXTENSIBLE: Life = { since: '1.33' };
const ONE_OF_FAMILY =
  'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';

/** Validates CIDRs: one, or one of each address family. */
function validate({ spec }: ServiceCIDR, { has }: RuleContext): FieldError[] {
  const cidrs = spec?.cidrs ?? [];
  const reject = (detail: string): FieldError[] => [
    invalidFormatted(FIELD, `networking.ServiceCIDRSpec{CIDRs:${formatGoStrings(cidrs)}}`, detail),
  ];
  if (cidrs.length === 0) return [required(FIELD, 'at least one CIDR required')];
  if (cidrs.length > 2) return reject('may only hold up to 2 values');
  if (has(IS_EXTENSIBLE)) {
    const families = cidrs.map((cidr) => parseCidr(cidr)?.address.family);
    const isRepeated = families.length === 2 && families[0] !== undefined && families[0] === families[1];
    return [
      ...cidrs.flatMap((cidr, index) => validateStrictCidr(cidr, `${FIELD}[${index}]`)),
      ...(isRepeated ? [invalidFormatted(FIELD, formatGoStrings(cidrs), ONE_OF_FAMILY)] : []),
    ];
  }
  if (cidrs.length === 2 && !isDualStack(cidrs)) return reject(ONE_OF_FAMILY);
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

function validateUpdate(object: ServiceCIDR, old: ServiceCIDR, context: RuleContext): FieldError[] {
  const cidrs = object.spec?.cidrs;
  const before = old.spec?.cidrs;
  if (context.has(IS_EXTENSIBLE)) return validateExtension(object, before ?? [], context);
  const same = semanticEqual(cidrs, before);
  return [
    ...validate(object, context),
    ...(same ? [] : [invalidFormatted(FIELD, formatGoStrings(cidrs), IMMUTABLE)]),
  ];
}

/** Validates an update that can only add a second range. */
function validateExtension(
  object: ServiceCIDR,
  before: readonly string[],
  context: RuleContext,
): FieldError[] {
  const cidrs = object.spec?.cidrs ?? [];
  const isExtended = before.length === 1 && cidrs.length === 2;
  if (cidrs.length !== before.length && !isExtended)
    return [invalidFormatted(FIELD, formatGoStrings(object.spec?.cidrs), IMMUTABLE)];
  const changed = before.flatMap((cidr, index) =>
    cidr === cidrs[index] ? [] : [invalid(`${FIELD}[${index}]`, cidrs[index]!, IMMUTABLE)],
  );
  return isExtended ? [...changed, ...validate(object, context)] : changed;
}

export const serviceCidrStrategy: Strategy = {
  metadata: { checks: { update: ['change', 'whole'] } },
  validate: (object, context) => validate(object as ServiceCIDR, context),
  validateUpdate: (object, old, context) =>
    validateUpdate(object as ServiceCIDR, old as ServiceCIDR, context),
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
});
