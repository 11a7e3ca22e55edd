import type { Pod, PodAffinityTerm } from '../model/generated/core-v1.ts';
import { podResources, podResourcesWithStatus } from '../model/pod-resources.ts';
import type { Quantity } from '../model/quantity.ts';
import { count, type ResourceList, toResources } from '../model/resource-list.ts';
import { isExtendedResource } from '../model/resource-names.ts';

const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'];
/** Resources that every container must specify when a quota limits them. */
const REQUIRED = ['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory'];

/** What the usage of a pod depends on besides the pod. */
export interface UsageConditions {
  /** Wall clock in milliseconds. */
  readonly now: number;
  /** Whether pods can be resized: the resources in their status count too. */
  readonly countsStatus: boolean;
}

/** Computes the quota usage of a pod. A terminated pod counts only as an object. */
export function podUsage(pod: Pod, { now, countsStatus }: UsageConditions): Map<string, Quantity> {
  if (hasEnded(pod, now)) return new Map([['count/pods', count(1)]]);
  const resources = countsStatus ? podResourcesWithStatus : podResources;
  return new Map([
    ['count/pods', count(1)],
    ['pods', count(1)],
    ...quotaNames(resources(pod, 'requests'), resources(pod, 'limits')),
  ]);
}

/** Maps requests and limits to quota resource names. */
function quotaNames(requests: ResourceList, limits: ResourceList): Map<string, Quantity> {
  const usage = new Map<string, Quantity>();
  for (const [name, quantity] of requests) {
    if (COMPUTE.includes(name) || name.startsWith('hugepages-'))
      usage.set(name, quantity).set(`requests.${name}`, quantity);
    else if (isExtendedResource(name)) usage.set(`requests.${name}`, quantity);
  }
  for (const [name, quantity] of limits) if (COMPUTE.includes(name)) usage.set(`limits.${name}`, quantity);
  return usage;
}

/** A pod has also ended when its grace period is over, even if its status does not report it. */
function hasEnded({ status, metadata }: Pod, now: number): boolean {
  if (status?.phase === 'Failed' || status?.phase === 'Succeeded') return true;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata ?? {};
  if (
    deletionTimestamp === undefined ||
    deletionTimestamp === null ||
    deletionGracePeriodSeconds === undefined
  )
    return false;
  return now > Date.parse(deletionTimestamp) + Number(deletionGracePeriodSeconds) * 1000;
}

/**
 * Describes the resources that containers do not specify although a quota limits them: `must specify …`;
 * undefined when there are none.
 */
export function describeMissingResources({ spec }: Pod, names: ReadonlySet<string>): string | undefined {
  const required = REQUIRED.filter((name) => names.has(name));
  const missing = new Map<string, string[]>();
  for (const { name = '', resources } of [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])]) {
    const specified = quotaNames(toResources(resources?.requests), toResources(resources?.limits));
    for (const resource of required)
      if (!specified.has(resource)) missing.set(resource, [...(missing.get(resource) ?? []), name]);
  }
  if (missing.size === 0) return undefined;
  const texts = [...missing]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([resource, containers]) => `${resource} for: ${containers.sort().join(',')}`);
  return `must specify ${texts.join('; ')}`;
}

/** Returns whether a pod matches a quota scope. */
export function matchesScope(pod: Pod, scope: string, operator: string, values: readonly string[]): boolean {
  const { spec } = pod;
  switch (scope) {
    case 'Terminating':
      return isTerminating(pod);
    case 'NotTerminating':
      return !isTerminating(pod);
    case 'BestEffort':
      return isBestEffort(pod);
    case 'NotBestEffort':
      return !isBestEffort(pod);
    case 'CrossNamespacePodAffinity':
      return crossesNamespaces(pod);
    case 'PriorityClass':
      return hasPriority(spec?.priorityClassName ?? '', operator, values);
    default:
      return false;
  }
}

const isTerminating = ({ spec }: Pod): boolean =>
  spec?.activeDeadlineSeconds !== undefined && Number(spec.activeDeadlineSeconds) >= 0;

/** Whether a pod is best effort: as its status says, or else if no container requests or limits CPU or memory. */
export function isBestEffort({ spec, status }: Pod): boolean {
  if ((status?.qosClass ?? '') !== '') return status!.qosClass === 'BestEffort';
  return [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].every(({ resources }) =>
    [resources?.requests, resources?.limits].every(
      (list) =>
        ![...toResources(list)].some(([name, { unscaled }]) => /^(cpu|memory)$/.test(name) && unscaled > 0n),
    ),
  );
}

function hasPriority(name: string, operator: string, values: readonly string[]): boolean {
  switch (operator) {
    case 'In':
      return values.includes(name);
    case 'NotIn':
      return !values.includes(name);
    case 'DoesNotExist':
      return name === '';
    default:
      return name !== '';
  }
}

function crossesNamespaces({ spec }: Pod): boolean {
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
  return [podAffinity, podAntiAffinity].some((affinity) => {
    const terms: (PodAffinityTerm | undefined)[] = [
      ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
      ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
        ({ podAffinityTerm }) => podAffinityTerm,
      ),
    ];
    return terms.some((term) => (term?.namespaces ?? []).length > 0 || term?.namespaceSelector !== undefined);
  });
}
