/** Addresses of simulated nodes and Pods. They stand in statuses only: nothing listens there. */

export type Family = 4 | 6;

/** Nodes whose Pods have a range of their own: `10.244.NODE.0/24`. */
const NODES_WITH_RANGE = 256;
/** Addresses of that range. */
const OWN_ADDRESSES = 254;
/** Further Pods have addresses of `10.245.0.0/16` to `10.254.0.0/16`. */
const FIRST_SHARED = 245;
const SHARED_OF_SECOND = 256 * 254;
const SHARED_ADDRESSES = 10 * SHARED_OF_SECOND;
/** Nodes with an address of their own in `10.0.1.0` to `10.0.255.255`; further ones share them. */
const NODE_ADDRESSES = 255 * 250;

/** The address of a node. `10.0.0.0/24` is left out: it is the default range of Services. */
export function nodeAddress(index: number): string {
  const number = index % NODE_ADDRESSES;
  return `10.0.${Math.floor(number / 250) + 1}.${(number % 250) + 1}`;
}

/** The number of the node that has an address; undefined if it is none of this simulation. */
export function nodeOfAddress(address: string): number | undefined {
  const [first, second, third, fourth] = bytesOf(address) ?? [];
  if (first !== 10 || second !== 0 || third! < 1 || fourth! < 1 || fourth! > 250) return undefined;
  return (third! - 1) * 250 + fourth! - 1;
}

function bytesOf(address: string): number[] | undefined {
  const parts = address.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part))) return undefined;
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : undefined;
}

/**
 * Gives each Pod its addresses. An IPv4 address of a node's own range is never given twice, nor an IPv6 address; those
 * that all nodes share are given again in turn, when they are free.
 */
export class PodAddresses {
  readonly #families: readonly Family[];
  /** The number of the last Pod of each node. */
  readonly #lastOfNode = new Map<number, number>();
  readonly #sharedInUse = new Set<number>();
  #nextShared = 0;

  /** @param families of the Pods, the primary one first */
  constructor(families: readonly Family[]) {
    this.#families = families;
  }

  /** Addresses for a new Pod of a node. */
  take(node: number): string[] {
    const number = (this.#lastOfNode.get(node) ?? 0) + 1;
    this.#lastOfNode.set(node, number);
    return this.#families.map((family) => (family === 4 ? this.#ipv4(node, number) : ipv6(node, number)));
  }

  /** A Pod has an address that was given before a restart. */
  observe(address: string): void {
    const [node, number] = ownAddress(address) ?? [];
    if (node !== undefined && number !== undefined)
      this.#lastOfNode.set(node, Math.max(number, this.#lastOfNode.get(node) ?? 0));
    const shared = sharedNumber(address);
    if (shared === undefined || this.#sharedInUse.has(shared)) return;
    this.#sharedInUse.add(shared);
    this.#nextShared = Math.max(this.#nextShared, shared + 1);
  }

  /** A Pod that had an address is gone. */
  release(address: string): void {
    const shared = sharedNumber(address);
    if (shared !== undefined) this.#sharedInUse.delete(shared);
  }

  #ipv4(node: number, number: number): string {
    if (node < NODES_WITH_RANGE && number <= OWN_ADDRESSES) return `10.244.${node}.${number}`;
    for (let tries = 0; tries < SHARED_ADDRESSES; tries += 1) {
      const shared = this.#nextShared % SHARED_ADDRESSES;
      this.#nextShared = shared + 1;
      if (this.#sharedInUse.has(shared)) continue;
      this.#sharedInUse.add(shared);
      return sharedAddress(shared);
    }
    // More Pods than addresses: they share them.
    return sharedAddress(this.#nextShared % SHARED_ADDRESSES);
  }
}

const ipv6 = (node: number, number: number): string =>
  number > 0xffff
    ? `fd00:10:244:${hex(node)}::${hex(number >> 16)}:${hex(number)}`
    : `fd00:10:244:${hex(node)}::${hex(number)}`;

const hex = (number: number): string => (number & 0xffff).toString(16);

function sharedAddress(number: number): string {
  const rest = number % SHARED_OF_SECOND;
  return `10.${FIRST_SHARED + Math.floor(number / SHARED_OF_SECOND)}.${Math.floor(rest / 254)}.${(rest % 254) + 1}`;
}

function sharedNumber(address: string): number | undefined {
  const [first, second, third, fourth] = bytesOf(address) ?? [];
  if (first !== 10 || second! < FIRST_SHARED || second! > 254 || fourth! < 1 || fourth! > 254)
    return undefined;
  return (second! - FIRST_SHARED) * SHARED_OF_SECOND + third! * 254 + fourth! - 1;
}

/** The node and the number of a Pod that has an address of the node's own range. */
function ownAddress(address: string): [node: number, number: number] | undefined {
  if (address.startsWith('10.244.')) {
    const [, , node, number] = bytesOf(address) ?? [];
    return node === undefined ? undefined : [node, number!];
  }
  const match = /^fd00:10:244:([0-9a-f]{1,4})::(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4})$/.exec(address);
  if (match === null) return undefined;
  const [, node, high = '0', low] = match;
  return [Number.parseInt(node!, 16), Number.parseInt(high, 16) * 0x10000 + Number.parseInt(low!, 16)];
}
