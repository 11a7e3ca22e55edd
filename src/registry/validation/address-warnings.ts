import { isIPv6 } from 'node:net';
import { formatAddress, parseAddress } from './address-values.ts';
import { parseCidr } from './addresses.ts';

const LEADING_ZERO = /(?:^|\.)0\d/;

/** Warnings about forms of addresses that are accepted for the sake of old clients. The address is valid. */
export function addressWarnings(text: string, field: string): string[] {
  const isIpv4 = !text.includes(':');
  if (isIpv4 && !LEADING_ZERO.test(text)) return [];
  if (isIpv4) {
    return [
      `${field}: IP address was accepted, but will be invalid in a future Kubernetes release: ParseAddr(${JSON.stringify(text)}): IPv4 field has octet with leading zero`,
    ];
  }
  const canonical = canonicalIpv6(text);
  if (canonical === undefined || canonical === text) return [];
  return [
    `${field}: IPv6 address ${JSON.stringify(text)} is not in RFC 5952 canonical format (${JSON.stringify(canonical)}), which may cause controller apply-loops`,
  ];
}

/** The same for a CIDR, which may have host bits besides. */
export function cidrWarnings(text: string, field: string): string[] {
  const parsed = parseCidr(text);
  if (parsed === undefined) return [];
  const { address, prefix } = parsed;
  if (LEADING_ZERO.test(address)) {
    return [
      `${field}: CIDR value was accepted, but will be invalid in a future Kubernetes release: netip.ParsePrefix(${JSON.stringify(text)}): ParseAddr(${JSON.stringify(address)}): IPv4 field has octet with leading zero`,
    ];
  }
  const value = parseAddress(address)!;
  const hostBits = BigInt((address.includes(':') ? 128 : 32) - prefix);
  const network = formatAddress({ family: value.family, value: (value.value >> hostBits) << hostBits });
  if ((value.value >> hostBits) << hostBits !== value.value) {
    return [
      `${field}: CIDR value ${JSON.stringify(text)} is ambiguous in this context (should be ${JSON.stringify(`${network}/${prefix}`)} or ${JSON.stringify(`${formatAddress(value)}/${value.family === 'IPv4' ? 32 : 128}`)}?)`,
    ];
  }
  const canonical = canonicalIpv6(address);
  if (canonical === undefined || canonical === address) return [];
  return [
    `${field}: IPv6 prefix ${JSON.stringify(text)} is not in RFC 5952 canonical format (${JSON.stringify(`${canonical}/${prefix}`)}), which may cause controller apply-loops`,
  ];
}

function canonicalIpv6(text: string): string | undefined {
  const address = isIPv6(text) ? parseAddress(text) : undefined;
  if (address === undefined) return undefined;
  return address.family === 'IPv6' ? formatAddress(address) : `::ffff:${formatAddress(address)}`;
}
