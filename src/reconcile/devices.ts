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
 * The resources in the best version that is served. The generated types are those of v1beta1: {@link exactRequest} and
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

/** A request for devices of one class: v1beta1 has its members in the request, later versions in `exactly`. */
export const exactRequest = (request: DeviceRequest & { readonly exactly?: DeviceRequest }): DeviceRequest =>
  request.exactly === undefined ? request : { ...request.exactly, name: request.name ?? '' };

/** Attributes and capacity of a device: v1beta1 has them in `basic`, later versions in the device. */
export const deviceContent = (device: Device & BasicDevice): BasicDevice => device.basic ?? device;
