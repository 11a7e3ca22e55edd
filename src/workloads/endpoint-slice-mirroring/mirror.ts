import { type AddressFamily, isMapped, parseAddressSloppy } from '../../addresses/address.ts';
import { groupBy } from '../../collections/group-by.ts';
import type { EndpointAddress, Endpoints } from '../../model/generated/core-v1.ts';
import type { Endpoint, EndpointPort, EndpointSlice } from '../../model/generated/discovery-v1.ts';
import type { Steps } from '../../steps/steps.ts';
import { mergeChanges, NO_CHANGES, type SliceChanges } from '../endpoint-slices/changes.ts';
import { endpointKey, portsKey } from '../endpoint-slices/endpoint.ts';
import { type CanonicalSubset, canonicalSubsets } from './canonical-subsets.ts';
import { emptyMirror, isMirror } from './mirror-slice.ts';

export interface MirrorPlan {
  readonly changes: SliceChanges;
  /** Addresses that are none. */
  readonly invalid: number;
  /** Addresses that are not mirrored, because they are none or too many. */
  readonly skipped: number;
  /** Sets of ports that are not mirrored, because they are too many. */
  readonly omitted: number;
}

/** The endpoints of one slice. */
interface MirroredSubset {
  readonly family: AddressFamily;
  readonly ports: readonly EndpointPort[];
  readonly endpoints: Map<string, Endpoint>;
}

/**
 * What is to become of the slices that mirror Endpoints: one slice for each set of ports and family.
 * @param slices that exist
 * @param maximum most addresses of a set of ports
 */
export function* planMirror(
  endpoints: Endpoints,
  slices: readonly EndpointSlice[],
  maximum: number,
): Steps<MirrorPlan> {
  const { subsets, omitted } = yield* canonicalSubsets(endpoints.subsets ?? []);
  const wanted = new Map<string, MirroredSubset>();
  let invalid = 0;
  let skipped = 0;
  for (const subset of subsets) {
    yield;
    const mirrored = mirrorSubset(subset, maximum);
    for (const one of mirrored.families)
      if (one.endpoints.size > 0) wanted.set(sliceKey(one.family, one.ports), one);
    invalid += mirrored.invalid;
    skipped += subset.ready.length + subset.notReady.length - mirrored.added;
  }
  const existing = groupBy(slices, ({ addressType = '', ports }) => sliceKey(addressType, ports));
  let changes: SliceChanges = {
    ...NO_CHANGES,
    remove: [...existing].flatMap(([key, all]) => (wanted.has(key) ? [] : all)),
  };
  for (const [key, { family, ports, endpoints: all }] of wanted) {
    yield;
    const [first, ...others] = existing.get(key) ?? [];
    const slice = { ...emptyMirror(endpoints, family, ports), endpoints: [...all.values()] };
    changes = mergeChanges(changes, { ...changesOf(slice, first, all), remove: others });
  }
  return { changes, invalid, skipped, omitted };
}

const sliceKey = (family: string, ports: readonly EndpointPort[] | undefined): string =>
  `${family} ${portsKey(ports)}`;

function changesOf(
  slice: EndpointSlice,
  existing: EndpointSlice | undefined,
  endpoints: ReadonlyMap<string, Endpoint>,
): SliceChanges {
  if (existing === undefined) return { ...NO_CHANGES, create: [slice] };
  if (isMirror(existing, slice, endpoints)) return { ...NO_CHANGES, keep: [existing] };
  const { name, uid, resourceVersion } = existing.metadata ?? {};
  const { generateName: _prefix, ...metadata } = slice.metadata ?? {};
  const identity = {
    ...(name !== undefined && { name }),
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
  return { ...NO_CHANGES, update: [{ ...slice, metadata: { ...metadata, ...identity } }] };
}

/** The addresses of a subset by their family: ready ones first, up to a number in all. */
function mirrorSubset({ ports: all, ready, notReady }: CanonicalSubset, maximum: number) {
  const ports: readonly EndpointPort[] = all.map(({ name = '', port, protocol = 'TCP', appProtocol }) => ({
    name,
    ...(port !== undefined && { port }),
    protocol,
    ...(appProtocol !== undefined && { appProtocol }),
  }));
  const families: readonly MirroredSubset[] = [
    { family: 'IPv4', ports, endpoints: new Map() },
    { family: 'IPv6', ports, endpoints: new Map() },
  ];
  let added = 0;
  let invalid = 0;
  const add = (addresses: readonly EndpointAddress[], isReady: boolean): void => {
    for (const address of addresses) {
      if (added >= maximum) return;
      const family = familyIn(address);
      if (family === undefined) {
        invalid += 1;
        continue;
      }
      const endpoint = endpointOf(address, isReady);
      families[family === 'IPv4' ? 0 : 1]!.endpoints.set(endpointKey(endpoint), endpoint);
      added += 1;
    }
  };
  add(ready, true);
  add(notReady, false);
  return { families, added, invalid };
}

function familyIn({ ip = '' }: EndpointAddress): AddressFamily | undefined {
  const address = parseAddressSloppy(ip);
  if (address === undefined) return undefined;
  return address.family === 4 || isMapped(address) ? 'IPv4' : 'IPv6';
}

const endpointOf = (
  { ip = '', targetRef, nodeName, hostname = '' }: EndpointAddress,
  ready: boolean,
): Endpoint => ({
  addresses: [ip],
  conditions: { ready },
  ...(targetRef !== undefined && { targetRef }),
  ...(nodeName !== undefined && { nodeName }),
  ...(hostname !== '' && { hostname }),
});
