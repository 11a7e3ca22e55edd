import type { ZoneShares } from './zones.ts';

/** By how much an endpoint may be asked for more than others. */
const OVERLOAD = 0.2;

/** How many endpoints serve a zone. */
export interface Allocation {
  readonly minimum: number;
  readonly maximum: number;
  readonly desired: number;
}

export type Allocations = ReadonlyMap<string, Allocation>;

/** Why no endpoints can be allocated to zones: the text of an event. */
export interface NoAllocation {
  readonly problem: string;
}

/** Endpoints by the zone that they serve. */
export type ZoneCounts = ReadonlyMap<string, number>;

/** Shares a number of ready endpoints among zones. */
export function allocate(shares: ZoneShares | undefined, endpoints: number): Allocations | NoAllocation {
  if (shares === undefined)
    return {
      problem: 'Insufficient Node information: allocatable CPU or zone not specified on one or more nodes',
    };
  const numbers = `(${endpoints} endpoints, ${shares.size} zones)`;
  if (shares.size > endpoints) return { problem: `Insufficient number of endpoints ${numbers}` };
  const minimums = [...shares].map(([zone, share]) => {
    const desired = share * endpoints;
    const minimum = Math.ceil(desired * (1 / (1 + OVERLOAD)));
    return { zone, minimum, desired: Math.max(desired, minimum) };
  });
  const total = minimums.reduce((sum, { minimum }) => sum + minimum, 0);
  if (total > endpoints)
    return {
      problem: `Unable to allocate minimum required endpoints to each zone without exceeding overload threshold ${numbers}`,
    };
  return new Map(
    minimums.map(({ zone, minimum, desired }) => [
      zone,
      { minimum, desired, maximum: minimum + endpoints - total },
    ]),
  );
}

/** Whether endpoints that serve zones are to be allocated anew. @param shares as they are now */
export function isOverloaded(counts: ZoneCounts, shares: ZoneShares | undefined): boolean {
  if (counts.size === 0) return false;
  if (shares === undefined) return true;
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [...shares].some(
    ([zone, share]) => (counts.get(zone) ?? -1) < Math.ceil(total * share * (1 / (1 + OVERLOAD))),
  );
}

/** How many endpoints zones give away, and how many others get. */
export interface Transfers {
  readonly giving: Map<string, number>;
  readonly receiving: Map<string, number>;
}

/** What brings the endpoints that serve each zone nearest to what is desired. */
export function transfersBetween(allocations: Allocations, counts: ZoneCounts): Transfers {
  const surplus = new Map<string, number>();
  const shortage = new Map<string, number>();
  for (const [zone, { desired }] of allocations) {
    const difference = (counts.get(zone) ?? 0) - desired;
    if (difference > 0) surplus.set(zone, difference);
    else if (difference < 0) shortage.set(zone, -difference);
  }
  const transfers: Transfers = { giving: new Map(), receiving: new Map() };
  for (;;) {
    const giver = most(surplus);
    const receiver = most(shortage);
    if (giver === undefined || receiver === undefined) return transfers;
    if (giver.count < 0.5 || receiver.count < 0.5 || (giver.count < 1 && receiver.count < 1))
      return transfers;
    add(transfers.giving, giver.zone, 1);
    add(surplus, giver.zone, -1);
    add(transfers.receiving, receiver.zone, 1);
    add(shortage, receiver.zone, -1);
  }
}

function most(counts: ReadonlyMap<string, number>): { zone: string; count: number } | undefined {
  let found: { zone: string; count: number } | undefined;
  for (const [zone, count] of counts) if (count > (found?.count ?? 0)) found = { zone, count };
  return found;
}

export const add = (counts: Map<string, number>, zone: string, count: number): void =>
  void counts.set(zone, (counts.get(zone) ?? 0) + count);
