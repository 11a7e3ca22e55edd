import type { Lease } from '../../model/generated/coordination-v1.ts';
import type { LeaseCandidate } from '../../model/generated/coordination-v1alpha2.ts';
import type { RuntimeClass } from '../../model/generated/node-v1.ts';
import type { PodDisruptionBudget } from '../../model/generated/policy-v1.ts';
import type { ResourceClaim, ResourceSlice } from '../../model/generated/resource-v1beta1.ts';
import type { PriorityClass } from '../../model/generated/scheduling-v1.ts';
import { AGE, ageOf, column, NAME, nameOf, table } from './define.ts';

const orNotApplicable = (value: number | string | undefined): string =>
  value === undefined ? 'N/A' : String(value);

export const podDisruptionBudgets = table<PodDisruptionBudget>(
  [
    NAME,
    column('Min Available', 'Pods that must stay available.'),
    column('Max Unavailable', 'Pods that may be unavailable.'),
    column('Allowed Disruptions', 'Pods that may be evicted now.', 'integer'),
    AGE,
  ],
  (object) => [
    nameOf(object),
    orNotApplicable(object.spec?.minAvailable),
    orNotApplicable(object.spec?.maxUnavailable),
    object.status?.disruptionsAllowed ?? 0,
    ageOf(object),
  ],
);

export const priorityClasses = table<PriorityClass>(
  [
    NAME,
    column('Value', 'The priority.', 'integer'),
    column('Global-Default', 'Whether pods without a class get this one.', 'boolean'),
    AGE,
    column('PreemptionPolicy', 'Whether pods of the class preempt lower priorities.'),
  ],
  (object) => [
    nameOf(object),
    object.value ?? 0,
    object.globalDefault ?? false,
    ageOf(object),
    object.preemptionPolicy ?? 'PreemptLowerPriority',
  ],
);

export const runtimeClasses = table<RuntimeClass>(
  [NAME, column('Handler', 'Configuration of the container runtime.'), AGE],
  (object) => [nameOf(object), object.handler ?? '', ageOf(object)],
);

export const leases = table<Lease>(
  [NAME, column('Holder', 'Current holder of the lease.'), AGE],
  (object) => [nameOf(object), object.spec?.holderIdentity ?? '', ageOf(object)],
);

export const leaseCandidates = table<LeaseCandidate>(
  [
    NAME,
    column('LeaseName', 'Lease for which it is a candidate.'),
    column('BinaryVersion', 'Binary version.'),
    column('EmulationVersion', 'Emulation version.'),
    AGE,
  ],
  (object) => [
    nameOf(object),
    object.spec?.leaseName ?? '',
    object.spec?.binaryVersion ?? '',
    object.spec?.emulationVersion ?? '',
    ageOf(object),
  ],
);

/** Formats the state of a claim, including its deletion. */
function claimState({ metadata, status }: ResourceClaim): string {
  const deleted = metadata?.deletionTimestamp !== undefined;
  if (status?.allocation === undefined) return deleted ? 'deleted' : 'pending';
  return [
    ...(deleted ? ['deleted'] : []),
    'allocated',
    ...((status.reservedFor?.length ?? 0) > 0 ? ['reserved'] : []),
  ].join(',');
}

export const resourceClaims = table<ResourceClaim>(
  [NAME, column('State', 'State of the claim.'), AGE],
  (object) => [nameOf(object), claimState(object), ageOf(object)],
);

export const resourceSlices = table<ResourceSlice>(
  [
    NAME,
    column('Node', 'Node with the devices.'),
    column('Driver', 'Driver of the devices.'),
    column('Pool', 'Pool the slice belongs to.'),
    AGE,
  ],
  (object) => [
    nameOf(object),
    object.spec?.nodeName ?? '',
    object.spec?.driver ?? '',
    object.spec?.pool?.name ?? '',
    ageOf(object),
  ],
);
