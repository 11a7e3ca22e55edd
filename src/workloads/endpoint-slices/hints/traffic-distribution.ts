import type { Endpoint, EndpointHints, EndpointSlice } from '../../../model/generated/discovery-v1.ts';
import { isSame } from '../../../reconcile/equality.ts';
import { mapEndpoints, type SliceChanges } from '../changes.ts';
import { isReadyEndpoint } from '../endpoint.ts';
import { withoutHints } from './zone-hints.ts';

/** Values with which an endpoint serves its own zone. */
const SAME_ZONE = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];

/** Has endpoints serve their own zone or node, as the Service prefers; without preference they have no hints. */
export function withPreference(changes: SliceChanges, trafficDistribution: string | undefined): SliceChanges {
  if (trafficDistribution === undefined || !SAME_ZONE.includes(trafficDistribution))
    return withoutAnyHints(changes);
  const hintsOf = ({ zone = '', nodeName }: Endpoint): EndpointHints | undefined => {
    const forZones = zone === '' ? undefined : [{ name: zone }];
    const forNodes =
      nodeName === undefined || trafficDistribution !== 'PreferSameNode' ? undefined : [{ name: nodeName }];
    return forZones || forNodes
      ? { ...(forZones && { forZones }), ...(forNodes && { forNodes }) }
      : undefined;
  };
  return mapEndpoints(
    changes,
    ({ endpoints = [] }) =>
      endpoints.every((endpoint) => !isReadyEndpoint(endpoint) || isSame(endpoint.hints, hintsOf(endpoint))),
    (endpoint) => {
      const hints = isReadyEndpoint(endpoint) ? hintsOf(endpoint) : undefined;
      return hints === undefined ? withoutHints(endpoint) : { ...endpoint, hints };
    },
  );
}

/** Removes the hints of all endpoints. */
export const withoutAnyHints = (changes: SliceChanges): SliceChanges =>
  mapEndpoints(changes, hasNoHints, withoutHints);

const hasNoHints = ({ endpoints = [] }: EndpointSlice): boolean =>
  endpoints.every(({ hints }) => hints === undefined);
