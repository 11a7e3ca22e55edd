import { parseAddressSloppy } from '../../addresses/address.ts';
import type { IpAddress } from '../../addresses/ip-address.ts';
import {
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
} from '../../addresses/special.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';

/** Ranges that cannot be endpoints. */
const SPECIAL: readonly {
  readonly detail: (text: string) => string;
  readonly covers: (address: IpAddress) => boolean;
}[] = [
  { detail: (text) => `may not be unspecified (${text})`, covers: isUnspecified },
  { detail: () => 'may not be in the loopback range (127.0.0.0/8, ::1/128)', covers: isLoopback },
  {
    detail: () => 'may not be in the link-local range (169.254.0.0/16, fe80::/10)',
    covers: isLinkLocalUnicast,
  },
  {
    detail: () => 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
    covers: isLinkLocalMulticast,
  },
];

/** Rejects special addresses that cannot be endpoints. */
export function validateNonSpecialAddress(text: string, field: string): FieldError[] {
  const address = parseAddressSloppy(text);
  if (address === undefined) return [invalid(field, text, 'must be a valid IP address')];
  return SPECIAL.filter(({ covers }) => covers(address)).map(({ detail }) =>
    invalid(field, text, detail(text)),
  );
}
