import { createHash } from 'node:crypto';
import { groupBy } from '../../collections/group-by.ts';
import type { EndpointAddress, EndpointPort, EndpointSubset } from '../../model/generated/core-v1.ts';
import { Pace } from '../../steps/pace.ts';
import { sortInSteps } from '../../steps/sort.ts';
import type { Steps } from '../../steps/steps.ts';

/** Most sets of ports of one Endpoints object that are looked at: each may have all of its addresses. */
export const MAXIMUM_SUBSETS = 100;

/** Addresses that have the same ports. No other subset has any of these ports. */
export interface CanonicalSubset {
  readonly ports: readonly EndpointPort[];
  readonly ready: readonly EndpointAddress[];
  readonly notReady: readonly EndpointAddress[];
}

export interface CanonicalSubsets {
  readonly subsets: readonly CanonicalSubset[];
  /** Sets of ports beyond {@link MAXIMUM_SUBSETS}. */
  readonly omitted: number;
}

/** An address, and whether it is ready where it is listed. */
interface ListedAddress {
  readonly key: string;
  readonly address: EndpointAddress;
  readonly isReady: boolean;
}

/**
 * Lists each port of Endpoints once, with all addresses that have it, and together with the other ports of the same
 * addresses. An address that is listed as ready and as not ready is not.
 */
export function* canonicalSubsets(subsets: readonly EndpointSubset[]): Steps<CanonicalSubsets> {
  const listed = yield* listAddresses(subsets);
  const bySubsets = [...groupBy(portsOf(subsets), ({ having }) => having.join()).values()];
  const found = new Map<
    string,
    { readonly ports: EndpointPort[]; readonly addresses: readonly ListedAddress[] }
  >();
  for (const group of bySubsets.slice(0, MAXIMUM_SUBSETS)) {
    const addresses = yield* unite(group[0]!.having.map((index) => listed[index]!));
    const key = digest(addresses);
    const ports = group.flatMap(({ port }) => port ?? []);
    const same = found.get(key);
    if (same === undefined) found.set(key, { ports, addresses });
    else same.ports.push(...ports);
  }
  return {
    omitted: Math.max(0, bySubsets.length - MAXIMUM_SUBSETS),
    subsets: [...found.values()].map(({ ports, addresses }) => ({
      ports,
      ready: addresses.flatMap(({ address, isReady }) => (isReady ? [address] : [])),
      notReady: addresses.flatMap(({ address, isReady }) => (isReady ? [] : [address])),
    })),
  };
}

/** The addresses of each subset. One that several subsets list is described as in the first. */
function* listAddresses(subsets: readonly EndpointSubset[]): Steps<readonly (readonly ListedAddress[])[]> {
  const known = new Map<string, EndpointAddress>();
  const pace = new Pace();
  const listed: ListedAddress[][] = [];
  for (const { addresses = [], notReadyAddresses = [] } of subsets) {
    const list: ListedAddress[] = [];
    for (const [all, isReady] of [
      [addresses, true],
      [notReadyAddresses, false],
    ] as const)
      for (const address of all) {
        if (pace.isPause()) yield;
        const key = JSON.stringify([address.ip, address.targetRef?.uid ?? '']);
        if (!known.has(key)) known.set(key, address);
        list.push({ key, address: known.get(key)!, isReady });
      }
    listed.push(list);
  }
  return listed;
}

/** Each port, undefined for subsets without any, with the indexes of the subsets that have it. */
function portsOf(
  subsets: readonly EndpointSubset[],
): Iterable<{ readonly port: EndpointPort | undefined; readonly having: number[] }> {
  const found = new Map<string, { readonly port: EndpointPort | undefined; readonly having: number[] }>();
  for (const [index, { ports = [] }] of subsets.entries())
    for (const port of ports.length === 0 ? [undefined] : ports) {
      const { name = '', port: number, protocol = '', appProtocol } = port ?? {};
      const key = JSON.stringify([name, number, protocol, appProtocol]);
      const known = found.get(key);
      if (known === undefined) found.set(key, { port, having: [index] });
      else if (known.having.at(-1) !== index) known.having.push(index);
    }
  return found.values();
}

/** The addresses of some lists, each once, in an order that does not depend on the lists. */
function* unite(lists: readonly (readonly ListedAddress[])[]): Steps<readonly ListedAddress[]> {
  const united = new Map<string, ListedAddress>();
  const pace = new Pace();
  for (const list of lists)
    for (const listed of list) {
      if (pace.isPause()) yield;
      if (!united.has(listed.key) || !listed.isReady) united.set(listed.key, listed);
    }
  return yield* sortInSteps([...united.values()], (one, other) =>
    one.key < other.key ? -1 : one.key > other.key ? 1 : 0,
  );
}

function digest(addresses: readonly ListedAddress[]): string {
  const hash = createHash('sha256');
  for (const { key, isReady } of addresses) hash.update(`${key}${isReady}`);
  return hash.digest('base64');
}
