import type { BasicDevice, Device, DeviceRequest } from '../model/generated/resource-v1beta1.ts';
import type { Resource } from './client.ts';

/** Versions of `resource.k8s.io` that controllers can use, best first. */
const VERSIONS = ['v1', 'v1beta2', 'v1beta1'] as const;

/** The resources of devices and claims, in one version. */
export interface DeviceResources {
  readonly classes: Resource;
  readonly claims: Resource;
  readonly templates: Resource;
  readonly slices: Resource;
}

function deviceResources(version: string): DeviceResources {
  const of = (resource: string, kind: string): Resource => ({
    group: 'resource.k8s.io',
    version,
    resource,
    kind,
  });
  return {
    classes: of('deviceclasses', 'DeviceClass'),
    claims: of('resourceclaims', 'ResourceClaim'),
    templates: of('resourceclaimtemplates', 'ResourceClaimTemplate'),
    slices: of('resourceslices', 'ResourceSlice'),
  };
}

/**
 * The resources in the best version that is served. The generated types are those of v1beta1: {@link requestAlternatives} and
 * {@link deviceContent} read what other versions nest differently.
 */
export function servedDeviceResources(
  isServed: (group: string, version: string) => boolean,
): DeviceResources {
  return deviceResources(VERSIONS.find((version) => isServed('resource.k8s.io', version)) ?? 'v1beta1');
}

/** The resources in each version: an object of any gives controllers something to do. */
export const ANY_DEVICE_RESOURCE: readonly Resource[] = VERSIONS.flatMap((version) =>
  Object.values(deviceResources(version)),
);

/** An alternative of a device request: the request itself, or one of its subrequests. */
export interface RequestAlternative {
  /** The name in results: that of the request, or `REQUEST/SUBREQUEST`. */
  readonly name: string;
  /** The name of the request in the claim. */
  readonly parent: string;
  /** The request, or the subrequest of `firstAvailable`, with its own name. */
  readonly request: DeviceRequest;
}

const alternatives = new WeakMap<DeviceRequest, readonly RequestAlternative[]>();

/**
 * The ways to satisfy a request, best first: several with `firstAvailable`. v1beta1 has the members of a single one in
 * the request, later versions in `exactly`.
 */
export function requestAlternatives(
  declared: DeviceRequest & { readonly exactly?: DeviceRequest },
): readonly RequestAlternative[] {
  let known = alternatives.get(declared);
  if (known === undefined) {
    const { name: parent = '', exactly, firstAvailable = [] } = declared;
    known =
      firstAvailable.length > 0
        ? firstAvailable.map((request) => ({ name: `${parent}/${request.name ?? ''}`, parent, request }))
        : [
            {
              name: parent,
              parent,
              request: exactly === undefined ? declared : { ...exactly, name: parent },
            },
          ];
    alternatives.set(declared, known);
  }
  return known;
}

/** Attributes and capacity of a device: v1beta1 has them in `basic`, later versions in the device. */
export const deviceContent = (device: Device & BasicDevice): BasicDevice => device.basic ?? device;
