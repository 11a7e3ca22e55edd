import type { Endpoint, EndpointSlice } from '../../model/generated/discovery-v1.ts';

/** What is to become of the slices of a Service. */
export interface SliceChanges {
  /** Without a name. */
  readonly create: readonly EndpointSlice[];
  readonly update: readonly EndpointSlice[];
  readonly remove: readonly EndpointSlice[];
  /** Slices that stay as they are. */
  readonly keep: readonly EndpointSlice[];
}

export const NO_CHANGES: SliceChanges = { create: [], update: [], remove: [], keep: [] };

export const mergeChanges = (one: SliceChanges, other: SliceChanges): SliceChanges => ({
  create: [...one.create, ...other.create],
  update: [...one.update, ...other.update],
  remove: [...one.remove, ...other.remove],
  keep: [...one.keep, ...other.keep],
});

/** Whether nothing is to be done. */
export const isUnchanged = ({ create, update, remove }: SliceChanges): boolean =>
  create.length + update.length + remove.length === 0;

/**
 * Changes the endpoints of slices that are written anyway, and of those that stay if they are not as they should be.
 * @param isRight whether a slice that stays may do so
 */
export function mapEndpoints(
  { create, update, remove, keep }: SliceChanges,
  isRight: (slice: EndpointSlice) => boolean,
  map: (endpoint: Endpoint) => Endpoint,
): SliceChanges {
  const mapped = (slice: EndpointSlice): EndpointSlice => ({
    ...slice,
    endpoints: (slice.endpoints ?? []).map(map),
  });
  return {
    create: create.map(mapped),
    update: [...update, ...keep.filter((slice) => !isRight(slice))].map(mapped),
    remove,
    keep: keep.filter(isRight),
  };
}

/** Changes the slices that are written. */
export const mapWritten = (
  { create, update, remove, keep }: SliceChanges,
  map: (slice: EndpointSlice) => EndpointSlice,
): SliceChanges => ({ create: create.map(map), update: update.map(map), remove, keep });
