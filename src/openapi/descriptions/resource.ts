/** Kinds of the group resource.k8s.io: claims, requests and classes of devices. */
export const RESOURCE: Readonly<Record<string, string>> = {
  DeviceClass: 'Class of devices with selectors and configuration.',
  ResourceClaim: 'Request for devices.',
  ResourceClaimTemplate: 'Template for the resource claims of pods.',
  ResourceSlice: 'Devices of a resource pool, published by a driver.',
};
