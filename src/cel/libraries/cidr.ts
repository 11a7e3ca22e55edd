import { formatAddress, isMapped } from '../../addresses/address.ts';
import type { AddressRange } from '../../addresses/ip-address.ts';
import { parseNetipPrefix } from '../../addresses/netip.ts';
import { containsAddress, containsRange, networkAddress } from '../../addresses/range.ts';
import { firstOnce, traversal } from '../cost/runtime.ts';
import { ErrorValue, NO_SUCH_OVERLOAD } from '../values/error-value.ts';
import { OpaqueValue } from '../values/opaque.ts';
import { sizeOf } from '../values/size.ts';
import type { Value } from '../values/value.ts';
import type { CallCost, CelFunction } from './function.ts';
import { IpValue, parseIp } from './ip.ts';
import { quote } from './url-parser.ts';

/** A value of type `net.CIDR`. */
export class CidrValue extends OpaqueValue {
  readonly typeName = 'net.CIDR';
  readonly range: AddressRange;

  constructor(range: AddressRange) {
    super();
    this.range = range;
  }

  equals(other: Value): boolean {
    if (!(other instanceof CidrValue)) return false;
    const [mine, theirs] = [this.range, other.range];
    return (
      mine.prefix === theirs.prefix &&
      mine.address.family === theirs.address.family &&
      mine.address.value === theirs.address.value
    );
  }
}

const CONVERSION = 'network address parse error during conversion from string: ';

/** Parses an address with a prefix length. */
function parseCidr(text: string): AddressRange | ErrorValue {
  const range = parseNetipPrefix(text, quote);
  if (typeof range === 'string') return new ErrorValue(`${CONVERSION}${range}`);
  return isMapped(range.address)
    ? new ErrorValue(`IPv4-mapped IPv6 address ${quote(text)} is not allowed`)
    : range;
}

const rangeOf = (value: Value): AddressRange => (value as CidrValue).range;
const sizeOfCidr = (value: Value): number =>
  value instanceof CidrValue ? Math.ceil(value.range.prefix / 8) : 1;
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
        invoke: (_frame, cidr) => `${formatAddress(rangeOf(cidr).address)}/${rangeOf(cidr).prefix}`,
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
        invoke: (_frame, cidr, ip) => containsAddress(rangeOf(cidr), (ip as IpValue).address),
      },
      {
        id: 'cidr_contains_ip_string',
        arguments: ['net.CIDR', 'string'],
        invoke: (_frame, cidr, text) => {
          const address = parseIp(text as string);
          return address instanceof ErrorValue ? NO_SUCH_OVERLOAD : containsAddress(rangeOf(cidr), address);
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
        invoke: (_frame, outer, inner) => containsRange(rangeOf(outer), rangeOf(inner)),
      },
      {
        id: 'cidr_contains_cidr_string',
        arguments: ['net.CIDR', 'string'],
        invoke: (_frame, outer, text) => {
          const inner = parseCidr(text as string);
          return inner instanceof ErrorValue ? NO_SUCH_OVERLOAD : containsRange(rangeOf(outer), inner);
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
        invoke: (_frame, cidr) => new IpValue(rangeOf(cidr).address),
      },
    ],
  },
  {
    name: 'masked',
    overloads: [
      {
        id: 'cidr_masked',
        arguments: ['net.CIDR'],
        invoke: (_frame, cidr) => new CidrValue({ ...rangeOf(cidr), address: networkAddress(rangeOf(cidr)) }),
      },
    ],
  },
  {
    name: 'prefixLength',
    overloads: [
      { id: 'cidr_prefix_length', arguments: ['net.CIDR'], invoke: (_frame, cidr) => rangeOf(cidr).prefix },
    ],
  },
];
