import { formatAddress, isMapped, parseAddress, parseAddressSloppy } from '../../addresses/address.ts';
import { formatRange, networkAddress, parseRange } from '../../addresses/range.ts';
import { quote } from '../../errors/quote.ts';
import type { Life } from '../../model/life.ts';
import type { RuleContext } from '../../model/rule-context.ts';

/** The releases that warn about addresses in other than canonical form wherever they validate addresses. */
export const WARNS_OF_FORMS: Life = { since: '1.33' };

/** Returns the warnings about an address that is valid but not in canonical form. */
export function addressWarnings(value: string, field: string, { has }: Pick<RuleContext, 'has'>): string[] {
  const parsed = has(WARNS_OF_FORMS) ? parseAddressSloppy(value) : undefined;
  if (parsed === undefined) return [];
  const address = parseAddress(value);
  if (address === undefined || isMapped(address)) {
    const text = `non-standard IP address ${quote(value)} will be considered invalid in a future Kubernetes release`;
    return [`${field}: ${text}: use ${quote(formatAddress(parsed))}`];
  }
  const canonical = formatAddress(address);
  return address.family === 4 || canonical === value
    ? []
    : [`${field}: IPv6 address ${quote(value)} should be in RFC 5952 canonical format (${quote(canonical)})`];
}

/** {@link addressWarnings} of a range. */
export function rangeWarnings(value: string, field: string, { has }: Pick<RuleContext, 'has'>): string[] {
  const parsed = has(WARNS_OF_FORMS) ? parseRange(value, parseAddressSloppy) : undefined;
  if (parsed === undefined) return [];
  const canonical = formatRange(parsed);
  const warnings: string[] = [];
  if (networkAddress(parsed).value !== parsed.address.value) {
    const single = `${formatAddress(parsed.address)}/${parsed.address.family === 4 ? 32 : 128}`;
    warnings.push(
      `${field}: CIDR value ${quote(value)} is ambiguous in this context (should be ${quote(canonical)} or ${quote(single)}?)`,
    );
  }
  const range = /\/0\d/.test(value) ? undefined : parseRange(value);
  if (range === undefined || isMapped(range.address)) {
    const text = `non-standard CIDR value ${quote(value)} will be considered invalid in a future Kubernetes release`;
    warnings.push(`${field}: ${text}: use ${quote(canonical)}`);
  }
  const written = range === undefined ? value : `${formatAddress(range.address)}/${range.prefix}`;
  if (warnings.length === 0 && range?.address.family === 6 && written !== value)
    warnings.push(
      `${field}: IPv6 CIDR value ${quote(value)} should be in RFC 5952 canonical format (${quote(written)})`,
    );
  return warnings;
}
