import { firstOnce, firstTwice } from '../cost/runtime.ts';
import { ErrorValue } from '../values/error-value.ts';
import { OpaqueValue } from '../values/opaque.ts';
import type { Value } from '../values/value.ts';
import type { CelFunction } from './function.ts';
import { type Address, formatAddress, isMapped, parseAddress } from './ip-parser.ts';
import { quote } from './url-parser.ts';

/** A value of type `net.IP`. */
export class IpValue extends OpaqueValue {
  readonly typeName = 'net.IP';
  readonly address: Address;

  constructor(address: Address) {
    super();
    this.address = address;
  }

  equals(other: Value): boolean {
    return (
      other instanceof IpValue &&
      other.address.family === this.address.family &&
      other.address.bits === this.address.bits
    );
  }
}

/** Parses an address; zones and IPv4-mapped addresses are rejected. */
export function parseIp(text: string): Address | ErrorValue {
  const parsed = parseAddress(text);
  if (typeof parsed === 'string')
    return new ErrorValue(`IP Address ${quote(text)} parse error during conversion from string: ${parsed}`);
  if ('zone' in parsed) return new ErrorValue(`IP address ${quote(text)} with zone value is not allowed`);
  return isMapped(parsed) ? new ErrorValue(`IPv4-mapped IPv6 address ${quote(text)} is not allowed`) : parsed;
}

const top = ({ family, bits }: Address, count: number): bigint =>
  bits >> BigInt((family === 4 ? 32 : 128) - count);
const within = (
  address: Address,
  four: readonly [bigint, number],
  six: readonly [bigint, number],
): boolean => {
  const [prefix, length] = address.family === 4 ? four : six;
  return top(address, length) === prefix;
};

const isLoopback = (address: Address): boolean => within(address, [127n, 8], [1n, 128]);
const isMulticast = (address: Address): boolean => within(address, [0xen, 4], [0xffn, 8]);
const isLinkLocalUnicast = (address: Address): boolean => within(address, [0xa9fen, 16], [0x3fan, 10]);

/** 224.0.0.0/24, and ff02::/16 with any flags. */
function isLinkLocalMulticast(address: Address): boolean {
  return address.family === 4 ? top(address, 24) === 0xe00000n : (top(address, 16) & 0xff0fn) === 0xff02n;
}

function isGlobalUnicast(address: Address): boolean {
  if (address.bits === 0n || (address.family === 4 && address.bits === 0xffffffffn)) return false;
  return !isLoopback(address) && !isMulticast(address) && !isLinkLocalUnicast(address);
}

const property = (name: string, id: string, read: (address: Address) => Value): CelFunction => ({
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
  property('isUnspecified', 'ip_is_unspecified', ({ bits }) => bits === 0n),
  property('isLoopback', 'ip_is_loopback', isLoopback),
  property('isLinkLocalMulticast', 'ip_is_link_local_multicast', isLinkLocalMulticast),
  property('isLinkLocalUnicast', 'ip_is_link_local_unicast', isLinkLocalUnicast),
  property('isGlobalUnicast', 'ip_is_global_unicast', isGlobalUnicast),
];
