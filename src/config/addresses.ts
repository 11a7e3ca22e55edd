import { BlockList, isIP } from 'node:net';

/** A CIDR range: `address` as given, `bits` of the address family, `prefix` length. */
export interface AddressRange {
  readonly text: string;
  readonly family: 4 | 6;
  /** First address of the range as a number. */
  readonly first: bigint;
  readonly prefix: number;
  readonly bits: 32 | 128;
}

/** The range `text` names, or undefined when it is none. */
export function parseRange(text: string): AddressRange | undefined {
  const slash = text.indexOf('/');
  const address = text.slice(0, slash);
  const family = isIP(address);
  if (slash < 0 || (family !== 4 && family !== 6) || !/^\d{1,3}$/.test(text.slice(slash + 1))) return undefined;
  const bits = family === 4 ? 32 : 128;
  const prefix = Number(text.slice(slash + 1));
  if (prefix > bits) return undefined;
  const hostBits = BigInt(bits - prefix);
  return { text, family, prefix, bits, first: (addressToNumber(address) >> hostBits) << hostBits };
}

/** Addresses in the range, as a power of two: at most `limit`. */
export function rangeSize(range: AddressRange, limit = Number.MAX_SAFE_INTEGER): number {
  const hostBits = range.bits - range.prefix;
  return hostBits >= 53 ? limit : Math.min(2 ** hostBits, limit);
}

/** The address at `offset` from the start of the range, in canonical text. */
export function addressAt(range: AddressRange, offset: number): string {
  return numberToAddress(range.first + BigInt(offset), range.family);
}

/** The number an IP address stands for. */
export function addressToNumber(address: string): bigint {
  return addressBytes(address).reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
}

/** The 4 or 16 bytes of an IP address. */
export function addressBytes(address: string): readonly number[] {
  if (isIP(address) === 4) return address.split('.').map(Number);
  const withoutZone = address.split('%')[0]!;
  // An IPv4 tail (`::ffff:10.0.0.1`) becomes two groups.
  const plain = withoutZone.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a, b, c, d) => `${((Number(a) << 8) | Number(b)).toString(16)}:${((Number(c) << 8) | Number(d)).toString(16)}`,
  );
  const [head = '', tail] = plain.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const front = groups(head);
  const back = tail === undefined ? [] : groups(tail);
  const middle = tail === undefined ? [] : new Array<number>(8 - front.length - back.length).fill(0);
  return [...front, ...middle, ...back].flatMap((group) => [group >> 8, group & 0xff]);
}

function numberToAddress(number: bigint, family: 4 | 6): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (number >> shift) & 0xffn).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => ((number >> BigInt(112 - index * 16)) & 0xffffn).toString(16));
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

/** Whether the address means every interface. */
export function isUnspecified(address: string): boolean {
  return isIP(address) !== 0 && addressBytes(address).every((byte) => byte === 0);
}

/** Whether the address is only reachable from this machine. */
export function isLoopback(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && LOOPBACK.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');
