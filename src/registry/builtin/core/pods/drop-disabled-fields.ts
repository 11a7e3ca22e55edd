import { dropGatedFields, type GatedField, isGateOn } from '../../../gated-fields.ts';
import type { StrategyContext } from '../../../strategy.ts';
import type { Container, EphemeralContainer, PodSpec, PodStatus, PodTemplateSpec } from './pod-types.ts';

type Gates = Pick<StrategyContext, 'isOn'>;

const ofSpec = (gate: string, member: string): GatedField<PodSpec> => ({
  gate,
  member,
  parents: (spec) => [spec],
});
const ofSecurity = (gate: string, member: string): GatedField<PodSpec> => ({
  gate,
  member,
  parents: ({ securityContext }) => [securityContext],
});
const ofContainers = (
  gate: string,
  member: string,
  holder: (container: Container | EphemeralContainer) => object | undefined,
): GatedField<PodSpec> => ({
  gate,
  member,
  parents: (spec) => allContainers(spec).map(holder),
});

const SPEC_FIELDS: readonly GatedField<PodSpec>[] = [
  ofSpec('PodLevelResources', 'resources'),
  ofSpec('DynamicResourceAllocation', 'resourceClaims'),
  ofContainers('DynamicResourceAllocation', 'claims', ({ resources }) => resources),
  ofSpec('UserNamespacesSupport', 'hostUsers'),
  ofSecurity('SupplementalGroupsPolicy', 'supplementalGroupsPolicy'),
  ofSecurity('SELinuxChangePolicy', 'seLinuxChangePolicy'),
  ofContainers('InPlacePodVerticalScaling', 'resizePolicy', (container) => container),
  {
    gate: 'ClusterTrustBundleProjection',
    member: 'clusterTrustBundle',
    parents: ({ volumes = [] }) => volumes.flatMap(({ projected }) => projected?.sources ?? []),
  },
];

const statuses = ({
  initContainerStatuses = [],
  containerStatuses = [],
  ephemeralContainerStatuses = [],
}: PodStatus) => [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses];
const STATUS_FIELDS: readonly GatedField<PodStatus>[] = [
  { gate: 'InPlacePodVerticalScaling', member: 'resize', parents: (status) => [status] },
  { gate: 'DynamicResourceAllocation', member: 'resourceClaimStatuses', parents: (status) => [status] },
  { gate: 'InPlacePodVerticalScaling', member: 'allocatedResources', parents: statuses },
  { gate: 'InPlacePodVerticalScaling', member: 'resources', parents: statuses },
  { gate: 'ResourceHealthStatus', member: 'allocatedResourcesStatus', parents: statuses },
  { gate: 'SupplementalGroupsPolicy', member: 'user', parents: statuses },
];

/** Removes what belongs to features that are off: the reference accepts such members and forgets them. */
export function dropDisabledPodSpecFields(
  spec: PodSpec | undefined,
  old: PodSpec | undefined,
  gates: Gates,
): void {
  dropGatedFields(SPEC_FIELDS, spec, old, gates);
  if (spec === undefined) return;
  if (!isGateOn(gates, 'ImageVolume') && !old?.volumes?.some(isImageVolume)) dropImageVolumes(spec);
  if (!isGateOn(gates, 'ProcMountType') && !usesProcMount(old)) defaultProcMounts(spec);
}

const usesProcMount = (spec: PodSpec | undefined): boolean =>
  allContainers(spec ?? {}).some(
    ({ securityContext }) => (securityContext?.procMount ?? 'Default') !== 'Default',
  );

/** A given mount is set to the default, never removed: objects that are stored with one stay as they are. */
function defaultProcMounts(spec: PodSpec): void {
  for (const { securityContext } of allContainers(spec))
    if (securityContext?.procMount !== undefined) securityContext.procMount = 'Default';
}

export const dropDisabledTemplateFields = (
  template: PodTemplateSpec | undefined,
  old: PodTemplateSpec | undefined,
  gates: Gates,
): void => dropDisabledPodSpecFields(template?.spec, old?.spec, gates);

/** Removes from a status what features that are off have put there; what the specification uses stays. */
export function dropDisabledPodStatusFields(
  status: PodStatus | undefined,
  spec: PodSpec | undefined,
  gates: Gates,
): void {
  const isUsed = (gate: string): boolean =>
    spec !== undefined &&
    SPEC_FIELDS.some(
      (one) =>
        one.gate === gate &&
        one.parents(spec).some((holder) => holder !== undefined && Object.hasOwn(holder, one.member)),
    );
  dropGatedFields(
    STATUS_FIELDS.filter(({ gate }) => !isUsed(gate)),
    status,
    undefined,
    gates,
  );
}

const isImageVolume = (volume: NonNullable<PodSpec['volumes']>[number]): boolean =>
  volume.image !== undefined;

/** Mounts of the volumes that go, go too. */
function dropImageVolumes(spec: PodSpec): void {
  const gone = new Set(spec.volumes?.filter(isImageVolume).map(({ name = '' }) => name));
  if (gone.size === 0) return;
  spec.volumes = spec.volumes!.filter((volume) => !isImageVolume(volume));
  for (const container of allContainers(spec))
    container.volumeMounts = container.volumeMounts?.filter(({ name = '' }) => !gone.has(name));
}

/** Init containers, containers, ephemeral containers, in this order. */
export function allContainers(spec: PodSpec): (Container | EphemeralContainer)[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
}
