import { firstOnce, traversal } from '../cost/runtime.ts';
import { ErrorValue } from '../values/error-value.ts';
import { OpaqueValue } from '../values/opaque.ts';
import { sizeOf } from '../values/size.ts';
import type { Value } from '../values/value.ts';
import type { CallCost, CelFunction } from './function.ts';
import { IpValue, parseIp } from './ip.ts';
import { type Address, formatAddress, isMapped, parseAddress } from './ip-parser.ts';
import { quote } from './url-parser.ts';

interface Prefix {
  readonly address: Address;
  readonly length: number;
}

/** A value of type `net.CIDR`. */
export class CidrValue extends OpaqueValue {
  readonly typeName = 'net.CIDR';
  readonly prefix: Prefix;

  constructor(prefix: Prefix) {
    super();
    this.prefix = prefix;
  }

  equals(other: Value): boolean {
    if (!(other instanceof CidrValue)) return false;
    const [mine, theirs] = [this.prefix, other.prefix];
    return (
      mine.length === theirs.length &&
      mine.address.family === theirs.address.family &&
      mine.address.bits === theirs.address.bits
    );
  }
}

const CONVERSION = 'network address parse error during conversion from string: ';

/** Parses an address with a prefix length. */
function parseCidr(text: string): Prefix | ErrorValue {
  const failed = (why: string): ErrorValue =>
    new ErrorValue(`${CONVERSION}netip.ParsePrefix(${quote(text)}): ${why}`);
  const slash = text.lastIndexOf('/');
  if (slash < 0) return failed("no '/'");
  const address = parseAddress(text.slice(0, slash));
  if (typeof address === 'string') return failed(address);
  if ('zone' in address) return failed('IPv6 zones cannot be present in a prefix');
  const digits = text.slice(slash + 1);
  if (!/^(?:0|[1-9]\d*)$/.test(digits)) return failed(`bad bits after slash: ${quote(digits)}`);
  if (Number(digits) > widthOf(address)) return failed('prefix length out of range');
  return isMapped(address)
    ? new ErrorValue(`IPv4-mapped IPv6 address ${quote(text)} is not allowed`)
    : { address, length: Number(digits) };
}

const widthOf = ({ family }: Address): number => (family === 4 ? 32 : 128);

function masked({ address, length }: Prefix): Prefix {
  const rest = BigInt(widthOf(address) - length);
  return { address: { family: address.family, bits: (address.bits >> rest) << rest }, length };
}

function containsAddress({ address, length }: Prefix, other: Address): boolean {
  const rest = BigInt(widthOf(address) - length);
  return address.family === other.family && address.bits >> rest === other.bits >> rest;
}

function containsPrefix(outer: Prefix, inner: Prefix): boolean {
  return outer.length <= inner.length && containsAddress(outer, masked(inner).address);
}

const prefixOf = (value: Value): Prefix => (value as CidrValue).prefix;
const sizeOfCidr = (value: Value): number =>
  value instanceof CidrValue ? Math.ceil(value.prefix.length / 8) : 1;
const argument = (value: Value): number => (typeof value === 'string' ? traversal(sizeOf(value)) : 0);

const ipCost: CallCost = (_frame, cidr, other) => traversal(2 * sizeOfCidr(cidr)) + argument(other);
const cidrCost: CallCost = (frame, cidr, other, result) =>
  ipCost(frame, cidr, other, result) + traversal(sizeOfCidr(cidr)) + 1;

/** Ranges of IP addresses. */
export const CIDRS: readonly CelFunction[] = [
  {
    name: 'cidr',
    cost: firstOnce,
    overloads: [
      {
        id: 'string_to_cidr',
        arguments: ['string'],
        invoke: (_frame, text) => {
          const parsed = parseCidr(text as string);
          return parsed instanceof ErrorValue
            ? new ErrorValue(`${CONVERSION}${parsed.message}`)
            : new CidrValue(parsed);
        },
      },
    ],
  },
  {
    name: 'isCIDR',
    cost: firstOnce,
    overloads: [
      {
        id: 'is_cidr',
        arguments: ['string'],
        invoke: (_frame, text) => !(parseCidr(text as string) instanceof ErrorValue),
      },
    ],
  },
  {
    name: 'string',
    overloads: [
      {
        id: 'cidr_to_string',
        arguments: ['net.CIDR'],
        invoke: (_frame, cidr) => `${formatAddress(prefixOf(cidr).address)}/${prefixOf(cidr).length}`,
      },
    ],
  },
  {
    name: 'containsIP',
    cost: ipCost,
    overloads: [
      {
        id: 'cidr_contains_ip_ip',
        arguments: ['net.CIDR', 'net.IP'],
        invoke: (_frame, cidr, ip) => containsAddress(prefixOf(cidr), (ip as IpValue).address),
      },
      {
        id: 'cidr_contains_ip_string',
        arguments: ['net.CIDR', 'string'],
        invoke: (_frame, cidr, text) => {
          const address = parseIp(text as string);
          return address instanceof ErrorValue ? address : containsAddress(prefixOf(cidr), address);
        },
      },
    ],
  },
  {
    name: 'containsCIDR',
    cost: cidrCost,
    overloads: [
      {
        id: 'cidr_contains_cidr',
        arguments: ['net.CIDR', 'net.CIDR'],
        invoke: (_frame, outer, inner) => containsPrefix(prefixOf(outer), prefixOf(inner)),
      },
      {
        id: 'cidr_contains_cidr_string',
        arguments: ['net.CIDR', 'string'],
        invoke: (_frame, outer, text) => {
          const inner = parseCidr(text as string);
          return inner instanceof ErrorValue ? inner : containsPrefix(prefixOf(outer), inner);
        },
      },
    ],
  },
  {
    name: 'ip',
    overloads: [
      {
        id: 'cidr_ip',
        arguments: ['net.CIDR'],
        invoke: (_frame, cidr) => new IpValue(prefixOf(cidr).address),
      },
    ],
  },
  {
    name: 'masked',
    overloads: [
      {
        id: 'cidr_masked',
        arguments: ['net.CIDR'],
        invoke: (_frame, cidr) => new CidrValue(masked(prefixOf(cidr))),
      },
    ],
  },
  {
    name: 'prefixLength',
    overloads: [
      { id: 'cidr_prefix_length', arguments: ['net.CIDR'], invoke: (_frame, cidr) => prefixOf(cidr).length },
    ],
  },
];
