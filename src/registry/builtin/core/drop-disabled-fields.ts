import type { Container, EphemeralContainer, PodSpec, PodStatus, PodTemplateSpec } from './pod-types.ts';

/** Removes what belongs to features that are off: the reference accepts such members and forgets them. */
export function dropDisabledPodSpecFields(spec: PodSpec): void {
  delete spec.resources;
  delete spec.resourceClaims;
  delete spec.hostUsers;
  if (spec.securityContext) {
    delete spec.securityContext.supplementalGroupsPolicy;
    delete spec.securityContext.seLinuxChangePolicy;
  }
  const gone = dropImageVolumes(spec);
  for (const { projected } of spec.volumes ?? []) for (const source of projected?.sources ?? []) delete source.clusterTrustBundle;
  for (const volume of spec.volumes ?? []) delete volume.ephemeral?.volumeClaimTemplate?.spec?.volumeAttributesClassName;
  for (const container of allContainers(spec)) {
    delete container.resizePolicy;
    delete container.resources?.claims;
    delete container.securityContext?.procMount;
    if (gone.size > 0) container.volumeMounts = container.volumeMounts?.filter(({ name = '' }) => !gone.has(name));
  }
}

export function dropDisabledTemplateFields(template: PodTemplateSpec | undefined): void {
  if (template?.spec) dropDisabledPodSpecFields(template.spec);
}

/** Of what a kubelet reports. */
export function dropDisabledPodStatusFields(status: PodStatus): void {
  delete status.resize;
  delete status.resourceClaimStatuses;
  for (const container of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? []), ...(status.ephemeralContainerStatuses ?? [])]) {
    delete container.allocatedResources;
    delete container.resources;
    delete container.allocatedResourcesStatus;
    delete container.user;
  }
}

/** Names of the volumes that went: mounts of them go too. */
function dropImageVolumes(spec: PodSpec): Set<string> {
  const images = (spec.volumes ?? []).filter((volume) => volume.image !== undefined);
  if (images.length > 0) spec.volumes = spec.volumes!.filter((volume) => volume.image === undefined);
  return new Set(images.map(({ name = '' }) => name));
}

/** Init containers, containers, ephemeral containers, in this order. */
export function allContainers(spec: PodSpec): (Container | EphemeralContainer)[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
}
