import { canonicalIpv6 } from './address-values.ts';
import { parseAddressError, parsePrefixError } from './go-addresses.ts';

const LATER = 'was accepted, but will be invalid in a future Kubernetes release';
const LOOPS = 'which may cause controller apply-loops';

/** Returns warnings about addresses whose form is accepted for compatibility only or is not validated. */
export function addressWarnings(text: string, field: string): string[] {
  const malformed = parseAddressError(text);
  if (malformed !== undefined) return [`${field}: IP address ${LATER}: ${malformed}`];
  const canonical = canonicalIpv6(text);
  if (canonical === undefined || canonical === text) return [];
  return [
    `${field}: IPv6 address ${JSON.stringify(text)} is not in RFC 5952 canonical format (${JSON.stringify(canonical)}), ${LOOPS}`,
  ];
}

/** Returns the same warnings for a CIDR. */
export function cidrWarnings(text: string, field: string): string[] {
  const malformed = parsePrefixError(text);
  if (malformed !== undefined) return [`${field}: CIDR value ${LATER}: ${malformed}`];
  const slash = text.lastIndexOf('/');
  const address = canonicalIpv6(text.slice(0, slash));
  const canonical = address === undefined ? text : `${address}${text.slice(slash)}`;
  if (canonical === text) return [];
  return [
    `${field}: IPv6 prefix ${JSON.stringify(text)} is not in RFC 5952 canonical format (${JSON.stringify(canonical)}), ${LOOPS}`,
  ];
}
