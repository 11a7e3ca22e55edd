import type { Endpoint, EndpointSlice } from '../../../model/generated/discovery-v1.ts';
import { mapEndpoints, type SliceChanges } from '../changes.ts';
import { isReadyEndpoint } from '../endpoint.ts';
import {
  type Allocations,
  add,
  allocate,
  type NoAllocation,
  transfersBetween,
  type ZoneCounts,
} from './allocation.ts';
import type { ZoneShares } from './zones.ts';

/** Changes whose ready endpoints say which zone they serve. */
export interface HintedChanges {
  readonly changes: SliceChanges;
  readonly counts: ZoneCounts;
}

/**
 * Has each ready endpoint serve its own zone, and moves as many to other zones as their shares of the processors ask
 * for. Slices that stay keep their hints while they fit.
 */
export function withZoneHints(
  changes: SliceChanges,
  shares: ZoneShares | undefined,
): HintedChanges | NoAllocation {
  const all = [...changes.create, ...changes.update, ...changes.keep];
  const allocations = allocate(shares, countReady(all));
  if ('problem' in allocations) return allocations;
  const counts = new Map<string, number>();
  const right = new Set<EndpointSlice>();
  for (const slice of changes.keep) {
    const served = servedBy(slice, counts, allocations);
    if (served === undefined) continue;
    right.add(slice);
    for (const [zone, count] of served) add(counts, zone, count);
  }
  const isRight = (slice: EndpointSlice): boolean => right.has(slice);
  let lacksZone = false;
  const local = mapEndpoints(changes, isRight, (endpoint) => {
    if (!isReadyEndpoint(endpoint)) return withoutHints(endpoint);
    const { zone = '' } = endpoint;
    if (zone === '') lacksZone = true;
    else add(counts, zone, 1);
    return serving(endpoint, zone);
  });
  if (lacksZone) return { problem: 'One or more endpoints do not have a zone specified' };
  const { giving, receiving } = transfersBetween(allocations, counts);
  const transferred = mapEndpoints(
    local,
    () => true,
    (endpoint) => {
      const { zone = '' } = endpoint;
      const [receiver] = receiving.keys();
      if (!isReadyEndpoint(endpoint) || !giving.has(zone) || receiver === undefined) return endpoint;
      take(giving, zone);
      take(receiving, receiver);
      add(counts, zone, -1);
      add(counts, receiver, 1);
      return serving(endpoint, receiver);
    },
  );
  return { changes: transferred, counts };
}

/** The hints of a slice by zone; undefined if it lacks some, or if a zone would have more than it may. */
function servedBy(
  { endpoints = [] }: EndpointSlice,
  counts: ZoneCounts,
  allocations: Allocations,
): ReadonlyMap<string, number> | undefined {
  const served = new Map<string, number>();
  for (const endpoint of endpoints) {
    if (!isReadyEndpoint(endpoint)) continue;
    const zones = endpoint.hints?.forZones ?? [];
    if (zones.length === 0) return undefined;
    for (const { name = '' } of zones) {
      if (!allocations.has(name)) return undefined;
      add(served, name, 1);
    }
  }
  for (const [zone, count] of served)
    if (count + (counts.get(zone) ?? 0) > allocations.get(zone)!.maximum) return undefined;
  return served;
}

const countReady = (slices: readonly EndpointSlice[]): number =>
  slices.reduce((sum, { endpoints = [] }) => sum + endpoints.filter(isReadyEndpoint).length, 0);

function take(counts: Map<string, number>, zone: string): void {
  const left = (counts.get(zone) ?? 0) - 1;
  if (left > 0) counts.set(zone, left);
  else counts.delete(zone);
}

const serving = (endpoint: Endpoint, zone: string): Endpoint => ({
  ...endpoint,
  hints: { forZones: [{ name: zone }] },
});

export function withoutHints(endpoint: Endpoint): Endpoint {
  const { hints: _hints, ...rest } = endpoint;
  return rest;
}
