import type {
  Device,
  DeviceRequest,
  ExactDeviceRequest,
  ResourceSliceSpec,
} from '../../model/generated/resource-v1.ts';
import type {
  Device as FlatDevice,
  DeviceRequest as FlatRequest,
  ResourceSliceSpec as FlatSliceSpec,
} from '../../model/generated/resource-v1beta1.ts';
import type { Life } from '../../model/life.ts';
import type { KubernetesObject } from '../../model/object.ts';
import type { Conversion } from '../strategy.ts';

/**
 * The releases whose rules are those of the later form, in which a request names its kind and devices have their
 * members themselves. They store devices in that form, too.
 */
export const HAS_LATER_FORM: Life = { since: '1.34' };

type Members = Record<string, unknown>;

/** The members of {@link ExactDeviceRequest}, which a request of v1beta1 has itself. */
const EXACT_MEMBERS = [
  'deviceClassName',
  'selectors',
  'allocationMode',
  'count',
  'adminAccess',
  'tolerations',
  'capacity',
  'derivedAttributes',
] as const satisfies readonly (keyof ExactDeviceRequest)[];

/** Unset, as the Go type has it. */
const isZero = (value: unknown): boolean => value === undefined || value === '' || value === 0;

function toLaterRequest({ name, firstAvailable, ...flat }: FlatRequest): DeviceRequest {
  const members = EXACT_MEMBERS.filter((member) => !isZero(flat[member]));
  return {
    ...(name === undefined ? {} : { name }),
    ...(members.length === 0
      ? {}
      : { exactly: Object.fromEntries(members.map((member) => [member, flat[member]])) }),
    ...(firstAvailable === undefined ? {} : { firstAvailable }),
  };
}

const toFlatRequest = ({ name, exactly, firstAvailable }: DeviceRequest): FlatRequest => ({
  ...(name === undefined ? {} : { name }),
  ...exactly,
  ...(firstAvailable === undefined ? {} : { firstAvailable }),
});

/** A copy with converted requests. @param path the members that lead to the devices of the claim */
function withRequests(
  object: KubernetesObject,
  path: readonly string[],
  convert: (request: object) => object,
): KubernetesObject {
  const copy = { ...object } as Members;
  let parent = copy;
  for (const member of path) {
    const child = parent[member];
    if (child === undefined) return object;
    parent[member] = { ...(child as Members) };
    parent = parent[member] as Members;
  }
  if (parent['requests'] === undefined) return object;
  parent['requests'] = (parent['requests'] as object[]).map(convert);
  return copy as unknown as KubernetesObject;
}

function requestConversion(path: readonly string[]): {
  readonly later: Conversion;
  readonly flat: Conversion;
} {
  const toLater = (object: KubernetesObject) => withRequests(object, path, toLaterRequest);
  const toFlat = (object: KubernetesObject) => withRequests(object, path, toFlatRequest);
  return {
    later: { toStorage: toLater, fromStorage: toFlat },
    flat: { toStorage: toFlat, fromStorage: toLater },
  };
}

/** Conversions of claims: between v1beta1 and a later form that is stored, and the other way round. */
export const claimConversion = requestConversion(['spec', 'devices']);
export const templateConversion = requestConversion(['spec', 'spec', 'devices']);

const toLaterDevice = ({ name, basic }: FlatDevice): Device => ({
  ...(name === undefined ? {} : { name }),
  ...basic,
});
const toFlatDevice = ({ name, ...basic }: Device): FlatDevice => ({
  ...(name === undefined ? {} : { name }),
  basic,
});

function toLaterSlice({ spec, ...slice }: KubernetesObject): KubernetesObject {
  if (spec === undefined) return slice;
  const { nodeName, allNodes, devices, ...rest } = spec as FlatSliceSpec;
  return {
    ...slice,
    spec: {
      ...rest,
      ...(nodeName ? { nodeName } : {}),
      ...(allNodes === true ? { allNodes } : {}),
      ...(devices === undefined ? {} : { devices: devices.map(toLaterDevice) }),
    },
  };
}

function toFlatSlice({ spec, ...slice }: KubernetesObject): KubernetesObject {
  if (spec === undefined) return slice;
  const { devices, ...rest } = spec as ResourceSliceSpec;
  return {
    ...slice,
    spec: { ...rest, ...(devices === undefined ? {} : { devices: devices.map(toFlatDevice) }) },
  };
}

/** Conversions of slices, as those of claims. */
export const sliceConversion: { readonly later: Conversion; readonly flat: Conversion } = {
  later: { toStorage: toLaterSlice, fromStorage: toFlatSlice },
  flat: { toStorage: toFlatSlice, fromStorage: toLaterSlice },
};
