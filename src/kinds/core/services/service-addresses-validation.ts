import type { Service } from '../../../model/generated/core-v1.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import {
  duplicate,
  type FieldError,
  invalid,
  invalidFormatted,
  notSupported,
  required,
} from '../../../status/field-error.ts';
import { checkEach, resultsOfEach } from '../../../steps/replay.ts';
import { ipFamily, validateLegacyIp } from '../../validation/addresses.ts';
import { formatGoStrings } from '../../validation/format-value.ts';
import { HEADLESS, isExternalName } from './service-rules.ts';

const FAMILIES = ['IPv4', 'IPv6'];
const POLICIES = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];

/** Validates clusterIP, clusterIPs, ipFamilies and ipFamilyPolicy, before or after allocation. */
export function validateServiceAddresses(
  service: Service,
  context: RuleContext,
  old?: Service,
): FieldError[] {
  if (isExternalName(service)) return [];
  const { clusterIP = '', clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = service.spec ?? {};
  const errors: FieldError[] = [];
  const clusterIPsError = (detail: string): FieldError =>
    invalidFormatted('spec.clusterIPs', formatGoStrings(clusterIPs), detail);
  if (clusterIP === '') {
    if (clusterIPs.length > 0)
      errors.push(clusterIPsError('must be empty when `clusterIP` is not specified'));
  } else if (clusterIPs.length === 0) errors.push(required('spec.clusterIPs'));
  else if (clusterIPs[0] !== clusterIP) errors.push(clusterIPsError('first value must match `clusterIP`'));

  const families = new Set<string>();
  for (const [index, family] of ipFamilies.entries()) {
    if (!FAMILIES.includes(family)) errors.push(notSupported(`spec.ipFamilies[${index}]`, family, FAMILIES));
    if (families.has(family)) errors.push(duplicate(`spec.ipFamilies[${index}]`, family));
    families.add(family);
  }
  if (ipFamilyPolicy !== undefined && !POLICIES.includes(ipFamilyPolicy))
    errors.push(notSupported('spec.ipFamilyPolicy', ipFamilyPolicy, POLICIES));

  const malformed = checkEach(clusterIPs, { place: 'addresses', cost: 2 }, (address, index) => {
    if (index > 0 || address !== HEADLESS)
      return validateLegacyIp(address, `spec.clusterIPs[${index}]`, context, old?.spec?.clusterIPs);
    return clusterIPs.length > 1 ? [clusterIPsError("'None' must be the first and only value")] : [];
  });
  errors.push(...malformed);
  if (clusterIPs.length > 2) errors.push(clusterIPsError('may only hold up to 2 values'));
  if (malformed.length > 0) return errors;
  const found = resultsOfEach(clusterIPs, { place: 'families', cost: 2 }, ipFamily);
  if (clusterIPs.length > 1 && new Set(found).size < clusterIPs.length) {
    errors.push(clusterIPsError('may specify no more than one IP for each IP family'));
  }
  if (clusterIPs[0] === HEADLESS) return errors;
  for (const [index, address] of clusterIPs.entries()) {
    const family = ipFamilies[index];
    if (family !== undefined && FAMILIES.includes(family) && found[index] !== family) {
      errors.push(
        invalid(
          `spec.clusterIPs[${index}]`,
          address,
          `expected an ${family} value as indicated by \`ipFamilies[${index}]\``,
        ),
      );
    }
  }
  return errors;
}
