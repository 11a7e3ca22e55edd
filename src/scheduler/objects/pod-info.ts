import type { Pod } from '../../model/generated/core-v1.ts';
import { timeToMilliseconds } from '../../model/time.ts';
import { claimNames, type NamedClaim } from '../../reconcile/volumes/pod-claims.ts';
import { affinityTermsOf, type PodAffinityTerms } from './affinity-terms.ts';
import { type ConflictingDisk, conflictingDisks } from './conflicting-disks.ts';
import { type HostPort, hostPortsOf } from './host-ports.ts';
import { type Labels, NO_LABELS } from './label-matcher.ts';
import { type NonZeroAmounts, podRequests, type RequestRules } from './pod-requests.ts';
import type { ResourceAmounts } from './resource-amounts.ts';

/** What the scheduler keeps of a pod: all that matters to other pods. */
export interface PodInfo {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly labels: Labels;
  readonly priority: number;
  readonly isTerminating: boolean;
  /** It is terminating because it made room for another pod. */
  readonly isPreempted: boolean;
  /** When its node started it, in milliseconds since the Unix epoch. */
  readonly startTime: number | undefined;
  readonly requests: ResourceAmounts;
  readonly nonZero: NonZeroAmounts;
  readonly hostPorts: readonly HostPort[];
  readonly claims: readonly NamedClaim[];
  readonly disks: readonly ConflictingDisk[];
  readonly affinity: PodAffinityTerms | undefined;
}

/** `namespace/name` of a pod. */
export const podKey = ({ namespace, name }: Pick<PodInfo, 'namespace' | 'name'>): string =>
  `${namespace}/${name}`;

/** The compact form of a pod; it holds no part of the object but labels. */
export function podInfo(pod: Pod, rules: RequestRules): PodInfo {
  const { metadata = {}, spec = {}, status = {} } = pod;
  const { namespace = '', name = '', uid = '', labels = NO_LABELS, deletionTimestamp } = metadata;
  const isTerminating = deletionTimestamp !== undefined;
  return {
    uid,
    namespace,
    name,
    labels,
    priority: spec.priority ?? 0,
    isTerminating,
    isPreempted: isTerminating && isPreemptionTarget(pod),
    startTime: status.startTime === undefined ? undefined : timeToMilliseconds(status.startTime),
    ...podRequests(pod, rules),
    hostPorts: hostPortsOf(spec),
    claims: claimNames(name, spec),
    disks: conflictingDisks(spec),
    affinity: affinityTermsOf(namespace, spec),
  };
}

function isPreemptionTarget({ status }: Pod): boolean {
  const condition = status?.conditions?.find(({ type }) => type === 'DisruptionTarget');
  return condition?.status === 'True' && condition.reason === 'PreemptionByScheduler';
}

/** Whether a pod is done: it takes nothing from its node any more. */
export const isFinished = ({ status }: Pod): boolean =>
  status?.phase === 'Succeeded' || status?.phase === 'Failed';
