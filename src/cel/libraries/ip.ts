import { formatAddress, isMapped } from '../../addresses/address.ts';
import type { IpAddress } from '../../addresses/ip-address.ts';
import { parseNetipAddress } from '../../addresses/netip.ts';
import {
  isGlobalUnicast,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
} from '../../addresses/special.ts';
import { firstOnce, firstTwice } from '../cost/runtime.ts';
import { ErrorValue } from '../values/error-value.ts';
import { OpaqueValue } from '../values/opaque.ts';
import type { Value } from '../values/value.ts';
import type { CelFunction } from './function.ts';
import { quote } from './url-parser.ts';

/** A value of type `net.IP`. */
export class IpValue extends OpaqueValue {
  readonly typeName = 'net.IP';
  readonly address: IpAddress;

  constructor(address: IpAddress) {
    super();
    this.address = address;
  }

  equals(other: Value): boolean {
    return (
      other instanceof IpValue &&
      other.address.family === this.address.family &&
      other.address.value === this.address.value
    );
  }
}

/** Parses an address; zones and IPv4-mapped addresses are rejected. */
export function parseIp(text: string): IpAddress | ErrorValue {
  const parsed = parseNetipAddress(text, quote);
  if (typeof parsed === 'string')
    return new ErrorValue(`IP Address ${quote(text)} parse error during conversion from string: ${parsed}`);
  if (parsed.zone !== '') return new ErrorValue(`IP address ${quote(text)} with zone value is not allowed`);
  return isMapped(parsed.address)
    ? new ErrorValue(`IPv4-mapped IPv6 address ${quote(text)} is not allowed`)
    : parsed.address;
}

const property = (name: string, id: string, read: (address: IpAddress) => Value): CelFunction => ({
  name,
  overloads: [{ id, arguments: ['net.IP'], invoke: (_frame, ip) => read((ip as IpValue).address) }],
});

/** IP addresses. */
export const IPS: readonly CelFunction[] = [
  {
    name: 'ip',
    cost: firstOnce,
    overloads: [
      {
        id: 'string_to_ip',
        arguments: ['string'],
        invoke: (_frame, text) => {
          const parsed = parseIp(text as string);
          return parsed instanceof ErrorValue ? parsed : new IpValue(parsed);
        },
      },
    ],
  },
  {
    name: 'isIP',
    cost: firstOnce,
    overloads: [
      {
        id: 'is_ip',
        arguments: ['string'],
        invoke: (_frame, text) => !(parseIp(text as string) instanceof ErrorValue),
      },
    ],
  },
  {
    name: 'ip.isCanonical',
    cost: firstTwice,
    overloads: [
      {
        id: 'ip_is_canonical',
        arguments: ['string'],
        invoke: (_frame, text) => {
          const parsed = parseIp(text as string);
          return parsed instanceof ErrorValue ? parsed : formatAddress(parsed) === text;
        },
      },
    ],
  },
  {
    name: 'string',
    overloads: [
      {
        id: 'ip_to_string',
        arguments: ['net.IP'],
        invoke: (_frame, ip) => formatAddress((ip as IpValue).address),
      },
    ],
  },
  property('family', 'ip_family', ({ family }) => family),
  property('isUnspecified', 'ip_is_unspecified', isUnspecified),
  property('isLoopback', 'ip_is_loopback', isLoopback),
  property('isLinkLocalMulticast', 'ip_is_link_local_multicast', isLinkLocalMulticast),
  property('isLinkLocalUnicast', 'ip_is_link_local_unicast', isLinkLocalUnicast),
  property('isGlobalUnicast', 'ip_is_global_unicast', isGlobalUnicast),
];
