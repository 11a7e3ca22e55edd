import type {
  Container,
  EphemeralContainer,
  PodSpec,
  PodStatus,
  PodTemplateSpec,
} from '../../../model/generated/core-v1.ts';
import { dropGatedFields, type GatedField } from '../../gated-fields.ts';
import type { StrategyContext } from '../../strategy.ts';

type Gates = Pick<StrategyContext, 'isOn'>;

const specField = (gate: string, member: string): GatedField<PodSpec> => ({
  gate,
  member,
  parents: (spec) => [spec],
});
const securityContextField = (gate: string, member: string): GatedField<PodSpec> => ({
  gate,
  member,
  parents: ({ securityContext }) => [securityContext],
});
const containerField = (
  gate: string,
  member: string,
  parent: (container: Container | EphemeralContainer) => object | undefined,
): GatedField<PodSpec> => ({
  gate,
  member,
  parents: (spec) => allContainers(spec).map(parent),
});

const SPEC_FIELDS: readonly GatedField<PodSpec>[] = [
  specField('PodLevelResources', 'resources'),
  specField('DynamicResourceAllocation', 'resourceClaims'),
  containerField('DynamicResourceAllocation', 'claims', ({ resources }) => resources),
  specField('UserNamespacesSupport', 'hostUsers'),
  securityContextField('SupplementalGroupsPolicy', 'supplementalGroupsPolicy'),
  securityContextField('SELinuxChangePolicy', 'seLinuxChangePolicy'),
  containerField('InPlacePodVerticalScaling', 'resizePolicy', (container) => container),
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
  {
    // The first of the two gates must not be one that the specification can use.
    gate: 'InPlacePodVerticalScalingAllocatedStatus',
    secondGate: 'InPlacePodVerticalScaling',
    member: 'allocatedResources',
    parents: statuses,
  },
  { gate: 'InPlacePodVerticalScaling', member: 'resources', parents: statuses },
  { gate: 'ResourceHealthStatus', member: 'allocatedResourcesStatus', parents: statuses },
  { gate: 'SupplementalGroupsPolicy', member: 'user', parents: statuses },
];

/** Drops fields of disabled features that the stored object does not use, as kube-apiserver does. */
export function dropDisabledPodSpecFields(
  spec: PodSpec | undefined,
  old: PodSpec | undefined,
  gates: Gates,
): void {
  dropGatedFields(SPEC_FIELDS, spec, old, gates);
  if (spec === undefined) return;
  if (!gates.isOn('ImageVolume') && !old?.volumes?.some(isImageVolume)) dropImageVolumes(spec);
  if (!gates.isOn('ProcMountType') && !usesProcMount(old)) defaultProcMounts(spec);
}

const usesProcMount = (spec: PodSpec | undefined): boolean =>
  allContainers(spec ?? {}).some(
    ({ securityContext }) => (securityContext?.procMount ?? 'Default') !== 'Default',
  );

/** Resets `procMount` to the default; it is never removed. */
function defaultProcMounts(spec: PodSpec): void {
  for (const { securityContext } of allContainers(spec))
    if (securityContext?.procMount !== undefined) securityContext.procMount = 'Default';
}

/** Applies {@link dropDisabledPodSpecFields} to a template. */
export const dropDisabledTemplateFields = (
  template: PodTemplateSpec | undefined,
  old: PodTemplateSpec | undefined,
  gates: Gates,
): void => dropDisabledPodSpecFields(template?.spec, old?.spec, gates);

/** Drops status fields of disabled features, except those that the specification uses. */
export function dropDisabledPodStatusFields(
  status: PodStatus | undefined,
  spec: PodSpec | undefined,
  gates: Gates,
): void {
  const isUsed = (gate: string): boolean =>
    spec !== undefined &&
    SPEC_FIELDS.some(
      (field) =>
        field.gate === gate &&
        field.parents(spec).some((parent) => parent !== undefined && Object.hasOwn(parent, field.member)),
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

/** Drops image volumes and their mounts. */
function dropImageVolumes(spec: PodSpec): void {
  const removed = new Set(spec.volumes?.filter(isImageVolume).map(({ name = '' }) => name));
  if (removed.size === 0) return;
  spec.volumes = spec.volumes!.filter((volume) => !isImageVolume(volume));
  for (const container of allContainers(spec))
    container.volumeMounts = container.volumeMounts?.filter(({ name = '' }) => !removed.has(name));
}

/** Returns init, regular and ephemeral containers, in this order. */
export function allContainers(spec: PodSpec): (Container | EphemeralContainer)[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
}
