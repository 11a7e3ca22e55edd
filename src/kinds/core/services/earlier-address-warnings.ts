import { canonicalIpv6 } from '../../../addresses/address.ts';
import { parseNetipAddress, parseNetipPrefix } from '../../../addresses/netip.ts';
import { quote } from '../../../errors/quote.ts';

const LATER = 'was accepted, but will be invalid in a future Kubernetes release';
const LOOPS = 'which may cause controller apply-loops';

/**
 * Returns warnings about addresses whose form is accepted for compatibility only or is not validated, as releases
 * before 1.33 word them.
 */
export function earlierAddressWarnings(text: string, field: string): string[] {
  const parsed = parseNetipAddress(text);
  if (typeof parsed === 'string') return [`${field}: IP address ${LATER}: ${parsed}`];
  const canonical = canonicalIpv6(text);
  if (canonical === text) return [];
  return [
    `${field}: IPv6 address ${quote(text)} is not in RFC 5952 canonical format (${quote(canonical)}), ${LOOPS}`,
  ];
}

/** Returns the same warnings for a range. */
export function earlierRangeWarnings(text: string, field: string): string[] {
  const parsed = parseNetipPrefix(text);
  if (typeof parsed === 'string') return [`${field}: CIDR value ${LATER}: ${parsed}`];
  const slash = text.lastIndexOf('/');
  const canonical = `${canonicalIpv6(text.slice(0, slash))}${text.slice(slash)}`;
  if (canonical === text) return [];
  return [
    `${field}: IPv6 prefix ${quote(text)} is not in RFC 5952 canonical format (${quote(canonical)}), ${LOOPS}`,
  ];
}
