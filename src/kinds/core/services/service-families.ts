import type { AddressFamily } from '../../../addresses/address.ts';
import type { Service, ServiceSpec } from '../../../model/generated/core-v1.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import { type FieldError, invalid, invalidFormatted } from '../../../status/field-error.ts';
import { ipFamily } from '../../validation/addresses.ts';
import { formatGoStrings } from '../../validation/format-value.ts';
import { validateServiceAddresses } from './service-addresses-validation.ts';
import { hasSelector, isExternalName, isHeadless, sameStrings } from './service-rules.ts';

/**
 * Sets ipFamilyPolicy and ipFamilies of a Service before allocation.
 * @param configured families of the server's ranges, the default first
 * @returns validation errors; the Service must not be stored when there are any
 */
export function determineFamilies(
  service: Service,
  old: Service | undefined,
  configured: readonly AddressFamily[],
  context: RuleContext,
): FieldError[] {
  if (isExternalName(service) || isPreferenceUnchanged(service, old)) return [];
  service.spec ??= {};
  const { spec } = service;
  spec.ipFamilyPolicy ??=
    old?.spec?.ipFamilyPolicy ??
    (isHeadless(service) && !hasSelector(service) ? 'RequireDualStack' : 'SingleStack');

  const malformed = validateServiceAddresses(service, context, old);
  if (malformed.length > 0) return malformed;
  const families = [...(spec.ipFamilies ?? [])];
  const conflicts = [
    ...validateSingleStack(spec),
    ...inferFamilies(spec.clusterIPs ?? [], families, configured),
  ];
  if (conflicts.length > 0) return conflicts;
  const isDualStack = spec.ipFamilyPolicy !== 'SingleStack';
  const familiesOrDefault = families.length > 0 ? families : [configured[0]!];

  // The endpoints of a headless Service without selector come from the client, so their families need not be
  // configured.
  const isUnmanaged = isHeadless(service) && !hasSelector(service);
  if (!isUnmanaged) {
    const errors = validateConfiguredFamilies(families, spec.ipFamilyPolicy, configured);
    if (errors.length > 0) return errors;
  }
  const needsSecondFamily =
    isDualStack && familiesOrDefault.length === 1 && (isUnmanaged || configured.length === 2);
  spec.ipFamilies = needsSecondFamily
    ? [familiesOrDefault[0]!, familiesOrDefault[0] === 'IPv4' ? 'IPv6' : 'IPv4']
    : familiesOrDefault;
  return [];
}

/** A SingleStack Service has at most one address and one family. */
function validateSingleStack({
  ipFamilyPolicy,
  clusterIPs = [],
  ipFamilies = [],
}: ServiceSpec): FieldError[] {
  if (ipFamilyPolicy !== 'SingleStack') return [];
  const policyError = (many: string): FieldError =>
    invalid(
      'spec.ipFamilyPolicy',
      ipFamilyPolicy,
      `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${many} are specified`,
    );
  return [
    ...(clusterIPs.length > 1 ? [policyError('cluster IPs')] : []),
    ...(ipFamilies.length > 1 ? [policyError('IP families')] : []),
  ];
}

/** An unchanged PreferDualStack Service keeps its addresses when the server's ranges change. */
function isPreferenceUnchanged(service: Service, old: Service | undefined): boolean {
  if (old === undefined || isExternalName(old)) return false;
  const { spec = {} } = service;
  const oldSpec = old.spec ?? {};
  return (
    spec.ipFamilyPolicy === 'PreferDualStack' &&
    oldSpec.ipFamilyPolicy === 'PreferDualStack' &&
    (spec.clusterIP ?? '') === (oldSpec.clusterIP ?? '') &&
    sameStrings(spec.clusterIPs, oldSpec.clusterIPs) &&
    sameStrings(spec.ipFamilies, oldSpec.ipFamilies)
  );
}

/** Appends the family of each requested address without one. */
function inferFamilies(
  addresses: readonly string[],
  families: string[],
  configured: readonly AddressFamily[],
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, address] of addresses.entries()) {
    const family = ipFamily(address);
    if (family === undefined || index < families.length) continue;
    if (configured.includes(family)) families.push(family);
    else
      errors.push(
        invalidFormatted(
          `spec.clusterIPs[${index}]`,
          formatGoStrings(addresses),
          `${family} is not configured on this cluster`,
        ),
      );
  }
  return errors;
}

function validateConfiguredFamilies(
  families: readonly string[],
  policy: string,
  configured: readonly AddressFamily[],
): FieldError[] {
  const errors: FieldError[] = [];
  if (policy === 'RequireDualStack' && configured.length < 2) {
    errors.push(
      invalid('spec.ipFamilyPolicy', policy, 'this cluster is not configured for dual-stack services'),
    );
  }
  for (const [index, family] of families.entries()) {
    if (!configured.some((other) => other === family))
      errors.push(invalid(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster'));
  }
  return errors;
}
