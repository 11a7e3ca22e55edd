import type {
  Container,
  EphemeralContainer,
  Pod,
  PodSpec,
  PodStatus,
  PodTemplateSpec,
} from '../../../model/generated/core-v1.ts';
import type { Life } from '../../../model/life.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import { dropGatedFields, type GatedField } from '../../gated-fields.ts';
import { allContainers } from './pod-containers.ts';

type Gates = RuleContext;

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

const projectedSource = (gate: string, member: string): GatedField<PodSpec> => ({
  gate,
  member,
  parents: ({ volumes = [] }) => volumes.flatMap(({ projected }) => projected?.sources ?? []),
});

/** The feature gate of variables from files. */
export const ENV_FILES = 'EnvFiles';
/** The feature gate of restarts of single containers. */
export const CONTAINER_RESTART_RULES = 'ContainerRestartRules';

const SPEC_FIELDS: readonly GatedField<PodSpec>[] = [
  specField('PodLevelResources', 'resources'),
  specField('DynamicResourceAllocation', 'resourceClaims'),
  containerField('DynamicResourceAllocation', 'claims', ({ resources }) => resources),
  specField('UserNamespacesSupport', 'hostUsers'),
  securityContextField('SupplementalGroupsPolicy', 'supplementalGroupsPolicy'),
  securityContextField('SELinuxChangePolicy', 'seLinuxChangePolicy'),
  containerField('InPlacePodVerticalScaling', 'resizePolicy', (container) => container),
  projectedSource('ClusterTrustBundleProjection', 'clusterTrustBundle'),
  projectedSource('PodCertificateRequest', 'podCertificate'),
  specField('HostnameOverride', 'hostnameOverride'),
  {
    gate: ENV_FILES,
    member: 'fileKeyRef',
    parents: (spec) => allContainers(spec).flatMap(({ env = [] }) => env.map(({ valueFrom }) => valueFrom)),
  },
];

const statuses = ({
  initContainerStatuses = [],
  containerStatuses = [],
  ephemeralContainerStatuses = [],
}: PodStatus) => [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses];
/** A field that stays in a status which already has it, whatever the specification uses. */
const reportedField = (
  gate: string,
  member: string,
  parents: (status: PodStatus) => readonly object[],
): GatedField<PodStatus> => ({ gate, member, parents });

const REPORTED_FIELDS: readonly GatedField<PodStatus>[] = [
  reportedField('DRAExtendedResource', 'extendedResourceClaimStatus', (status) => [status]),
  reportedField('PodObservedGenerationTracking', 'observedGeneration', (status) => [
    status,
    ...(status.conditions ?? []),
  ]),
];
const STATUS_FIELDS: readonly GatedField<PodStatus>[] = [
  { gate: 'InPlacePodVerticalScaling', member: 'resize', parents: (status) => [status] },
  { gate: 'DynamicResourceAllocation', member: 'resourceClaimStatuses', parents: (status) => [status] },
  {
    // The first of the two gates must not be one that the specification can use.
    gate: 'InPlacePodVerticalScalingAllocatedStatus',
    secondGate: 'InPlacePodVerticalScaling',
    member: 'allocatedResources',
    parents: statuses,
    until: '1.33',
  },
  {
    gate: 'InPlacePodVerticalScaling',
    member: 'allocatedResources',
    parents: statuses,
    since: '1.33',
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
  if (!gates.isOn(CONTAINER_RESTART_RULES) && gates.has(RESTARTS_CONTAINERS) && !usesRestartRules(old))
    dropRestartRules(spec);
  if (!gates.isOn('ContainerStopSignals') && !usesStopSignals(old)) dropStopSignals(spec);
}

/** Regular containers have policies of their own; before, these were refused. */
const RESTARTS_CONTAINERS: Life = { since: '1.34' };

/** Whether containers are restarted by other rules than the one of their pod. Those of sidecars do not count. */
export const usesRestartRules = ({ containers = [], initContainers = [] }: PodSpec = {}): boolean =>
  containers.some(({ restartPolicy }) => restartPolicy !== undefined) ||
  initContainers.some(
    ({ restartPolicy, restartPolicyRules = [] }) =>
      (restartPolicy !== undefined && restartPolicy !== 'Always') || restartPolicyRules.length > 0,
  );

function dropRestartRules(spec: PodSpec): void {
  for (const container of allContainers(spec)) {
    const isSidecar =
      spec.initContainers?.includes(container) === true && container.restartPolicy === 'Always';
    if (!isSidecar) delete container.restartPolicy;
    delete container.restartPolicyRules;
  }
}

/** Whether variables of containers are in files. */
export const usesFileVariables = (spec: PodSpec = {}): boolean =>
  allContainers(spec).some(({ env = [] }) =>
    env.some(({ valueFrom }) => valueFrom?.fileKeyRef !== undefined),
  );

const usesStopSignals = (spec: PodSpec = {}): boolean =>
  allContainers(spec).some(({ lifecycle }) => lifecycle?.stopSignal !== undefined);

/** Drops the signals, and lifecycles that contain nothing else. */
function dropStopSignals(spec: PodSpec): void {
  for (const container of allContainers(spec)) {
    const { lifecycle } = container;
    if (lifecycle?.stopSignal === undefined) continue;
    delete lifecycle.stopSignal;
    if (Object.values(lifecycle).every((handler) => handler === undefined)) delete container.lifecycle;
  }
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

/** Drops status fields of disabled features, except those that the specification or the old status uses. */
export function dropDisabledPodStatusFields(
  status: PodStatus | undefined,
  { status: old, spec }: Pick<Pod, 'spec' | 'status'>,
  gates: Gates,
): void {
  dropGatedFields(REPORTED_FIELDS, status, old, gates);
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
