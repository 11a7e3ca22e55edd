import type { Service, ServiceSpec } from '../../../../model/generated/core-v1.ts';
import { type FieldError, invalid } from '../../../../status/field-error.ts';
import { type AddressFamily, addressFamily } from '../../../validation/address-values.ts';
import { formatGoStrings, invalidFormatted } from '../../../validation/format-value.ts';
import { validateServiceAddresses } from './service-addresses-validation.ts';
import { hasSelector, isExternalName, isHeadless, sameStrings } from './service-rules.ts';

/**
 * Decides policy and families of a Service's addresses, in place, before any is allocated.
 * @param configured families of the server's ranges, the default first
 * @returns what is wrong with the request; the Service is then not to be stored
 */
export function determineFamilies(
  service: Service,
  old: Service | undefined,
  configured: readonly AddressFamily[],
): FieldError[] {
  if (isExternalName(service) || isPreferenceUnchanged(service, old)) return [];
  service.spec ??= {};
  const { spec } = service;
  spec.ipFamilyPolicy ??=
    old?.spec?.ipFamilyPolicy ??
    (isHeadless(service) && !hasSelector(service) ? 'RequireDualStack' : 'SingleStack');

  const malformed = validateServiceAddresses(service);
  if (malformed.length > 0) return malformed;
  const families = [...(spec.ipFamilies ?? [])];
  const contradictions = [
    ...validateSingleStack(spec),
    ...inferFamilies(spec.clusterIPs ?? [], families, configured),
  ];
  if (contradictions.length > 0) return contradictions;
  const wantsBoth = spec.ipFamilyPolicy !== 'SingleStack';
  const withDefault = families.length > 0 ? families : [configured[0]!];

  // Whoever publishes the endpoints of a headless Service without selector may do so in families the server
  // has no range of.
  const addressless = isHeadless(service) && !hasSelector(service);
  if (!addressless) {
    const refused = validateConfiguredFamilies(families, spec.ipFamilyPolicy, configured);
    if (refused.length > 0) return refused;
  }
  const both = wantsBoth && withDefault.length === 1 && (addressless || configured.length === 2);
  spec.ipFamilies = both ? [withDefault[0]!, withDefault[0] === 'IPv4' ? 'IPv6' : 'IPv4'] : withDefault;
  return [];
}

/** A Service of one family has one address. */
function validateSingleStack({
  ipFamilyPolicy,
  clusterIPs = [],
  ipFamilies = [],
}: ServiceSpec): FieldError[] {
  if (ipFamilyPolicy !== 'SingleStack') return [];
  const refuse = (many: string): FieldError =>
    invalid(
      'spec.ipFamilyPolicy',
      ipFamilyPolicy,
      `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${many} are specified`,
    );
  return [
    ...(clusterIPs.length > 1 ? [refuse('cluster IPs')] : []),
    ...(ipFamilies.length > 1 ? [refuse('IP families')] : []),
  ];
}

/** A PreferDualStack Service gets or loses no address only because the server's ranges changed meanwhile. */
function isPreferenceUnchanged(service: Service, old: Service | undefined): boolean {
  if (old === undefined || isExternalName(old)) return false;
  const { spec = {} } = service;
  const before = old.spec ?? {};
  return (
    spec.ipFamilyPolicy === 'PreferDualStack' &&
    before.ipFamilyPolicy === 'PreferDualStack' &&
    (spec.clusterIP ?? '') === (before.clusterIP ?? '') &&
    sameStrings(spec.clusterIPs, before.clusterIPs) &&
    sameStrings(spec.ipFamilies, before.ipFamilies)
  );
}

/** Adds the families of addresses that have none yet. */
function inferFamilies(
  addresses: readonly string[],
  families: string[],
  configured: readonly AddressFamily[],
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, address] of addresses.entries()) {
    const family = addressFamily(address);
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
    if (!configured.some((one) => one === family))
      errors.push(invalid(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster'));
  }
  return errors;
}
