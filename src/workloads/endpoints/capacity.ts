import type { EndpointSubset } from '../../model/generated/core-v1.ts';

/** Most addresses of one Endpoints object. */
export const CAPACITY = 1000;

/** Says that addresses are left out. */
export const OVER_CAPACITY = 'endpoints.kubernetes.io/over-capacity';

/**
 * Leaves out addresses beyond {@link CAPACITY}: first those that are not ready, then others, of each subset in
 * proportion to those that it has.
 */
export function withinCapacity(subsets: readonly EndpointSubset[]): {
  readonly subsets: readonly EndpointSubset[];
  readonly isTruncated: boolean;
} {
  const ready = count(subsets, 'addresses');
  const notReady = count(subsets, 'notReadyAddresses');
  if (ready + notReady <= CAPACITY) return { subsets, isTruncated: false };
  const list = ready > CAPACITY ? 'addresses' : 'notReadyAddresses';
  const places = ready > CAPACITY ? CAPACITY : CAPACITY - ready;
  const total = ready > CAPACITY ? ready : notReady;
  let left = places;
  return {
    isTruncated: true,
    subsets: subsets.map((subset) => {
      const all = subset[list] ?? [];
      const kept = all.slice(0, Math.min(left, Math.ceil((all.length / total) * places)));
      left -= kept.length;
      const { addresses, notReadyAddresses: _notReady, ...rest } = subset;
      if (list === 'addresses') return { ...rest, ...(kept.length > 0 && { addresses: kept }) };
      return {
        ...rest,
        ...(addresses !== undefined && { addresses }),
        ...(kept.length > 0 && { notReadyAddresses: kept }),
      };
    }),
  };
}

const count = (subsets: readonly EndpointSubset[], list: 'addresses' | 'notReadyAddresses'): number =>
  subsets.reduce((sum, subset) => sum + (subset[list]?.length ?? 0), 0);
