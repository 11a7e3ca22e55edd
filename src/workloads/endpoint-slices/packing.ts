import type { Endpoint, EndpointSlice } from '../../model/generated/discovery-v1.ts';
import type { SliceChanges } from './changes.ts';
import { endpointKey, isSameEndpoint } from './endpoint.ts';

export interface PackingOptions {
  /** The slices of one Service, family and list of ports. */
  readonly existing: readonly EndpointSlice[];
  /** The endpoints that they are to have, by {@link endpointKey}. */
  readonly desired: ReadonlyMap<string, Endpoint>;
  /** Most endpoints of a slice. */
  readonly maximum: number;
  readonly labels: Record<string, string>;
  /** Whether a slice is written for the sake of its labels. */
  readonly hasOtherLabels: (slice: EndpointSlice) => boolean;
  /** A new slice without endpoints. */
  readonly empty: () => EndpointSlice;
}

/** A slice whose list of endpoints grows. */
interface OpenSlice {
  readonly slice: EndpointSlice;
  readonly endpoints: Endpoint[];
}

/**
 * Distributes endpoints over slices so that few slices are written: endpoints stay where they are; others fill the
 * slices that are written anyway, the fullest ones first; the rest goes to the slice that they leave the least room in,
 * or to new slices. Slices are never balanced.
 */
export function packEndpoints(options: PackingOptions): SliceChanges {
  const { existing, desired, maximum, labels } = options;
  const missing = new Map(desired);
  const written: OpenSlice[] = [];
  const remove: EndpointSlice[] = [];
  let keep: EndpointSlice[] = [];
  for (const slice of existing) {
    const { endpoints, isChanged } = takeEndpoints(slice, missing);
    if (!isChanged && !options.hasOtherLabels(slice)) keep.push(slice);
    else if (isChanged && endpoints.length === 0) remove.push(slice);
    else written.push({ slice, endpoints });
  }
  const waiting = [...missing.values()];
  const place = (endpoints: Endpoint[]): void => {
    endpoints.push(...waiting.splice(0, Math.max(0, maximum - endpoints.length)));
  };
  for (const { endpoints } of [...written].sort(byLength)) place(endpoints);
  const created: OpenSlice[] = [];
  while (waiting.length > 0) {
    const slice = waiting.length < maximum ? fittest(keep, waiting.length, maximum) : undefined;
    const endpoints = [...(slice?.endpoints ?? [])];
    place(endpoints);
    if (slice === undefined) created.push({ slice: options.empty(), endpoints });
    else {
      written.push({ slice, endpoints });
      keep = keep.filter((one) => one !== slice);
    }
  }
  return {
    create: created.map(({ slice, endpoints }) => ({ ...slice, endpoints })),
    update: written.map(({ slice, endpoints }) => ({
      ...slice,
      metadata: { ...slice.metadata, labels },
      endpoints,
    })),
    remove,
    keep,
  };
}

/** The endpoints of a slice that are desired, as they are to be: they are not missing any more. */
function takeEndpoints(
  { endpoints = [] }: EndpointSlice,
  missing: Map<string, Endpoint>,
): { readonly endpoints: Endpoint[]; readonly isChanged: boolean } {
  const kept: Endpoint[] = [];
  let isChanged = false;
  for (const endpoint of endpoints) {
    const key = endpointKey(endpoint);
    const desired = missing.get(key);
    if (desired === undefined) {
      isChanged = true;
      continue;
    }
    missing.delete(key);
    isChanged ||= !isSameEndpoint(endpoint, desired);
    kept.push(desired);
  }
  return { endpoints: kept, isChanged };
}

const byLength = (one: OpenSlice, other: OpenSlice): number => other.endpoints.length - one.endpoints.length;

/** The slice that takes a number of endpoints and is then the fullest. */
function fittest(
  slices: readonly EndpointSlice[],
  count: number,
  maximum: number,
): EndpointSlice | undefined {
  let best: EndpointSlice | undefined;
  let least = maximum;
  for (const slice of slices) {
    const room = maximum - count - (slice.endpoints?.length ?? 0);
    if (room < 0 || room >= least) continue;
    best = slice;
    least = room;
  }
  return best;
}
