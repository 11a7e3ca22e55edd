import { STORAGE_CLASS_ANNOTATION } from '../model/annotations.ts';
import type { PersistentVolumeClaim, Pod, ResourceQuota, Service } from '../model/generated/core-v1.ts';
import { getMember, groupResourceOf, type KubernetesObject } from '../model/object.ts';
import { compareQuantities, type Quantity, roundUpQuantity } from '../model/quantity.ts';
import { amountOf, count } from '../model/resource-list.ts';
import { CORE_NAMES } from './counted.ts';
import { matchesScope, podUsage, type UsageConditions } from './pods.ts';

/** Computes the quota usage of an object, by quota resource name. */
export function usageOf(
  group: string,
  resource: string,
  object: KubernetesObject,
  conditions: UsageConditions,
): Map<string, Quantity> {
  if (group === '' && resource === 'pods') return podUsage(object as Pod, conditions);
  const usage = new Map([[`count/${groupResourceOf(group, resource)}`, count(1)]]);
  if (group !== '') return usage;
  if (CORE_NAMES.has(resource)) usage.set(resource, count(1));
  if (resource === 'services') addService(usage, object as Service);
  if (resource === 'persistentvolumeclaims') addClaim(usage, object as PersistentVolumeClaim);
  return usage;
}

function addService(usage: Map<string, Quantity>, { spec }: Service): void {
  const { type, ports = [], allocateLoadBalancerNodePorts } = spec ?? {};
  if (type === 'NodePort') usage.set('services.nodeports', count(ports.length));
  if (type !== 'LoadBalancer') return;
  usage.set('services.loadbalancers', count(1));
  const explicit = ports.filter(({ nodePort }) => Number(nodePort ?? 0) !== 0).length;
  usage.set('services.nodeports', count(allocateLoadBalancerNodePorts === false ? explicit : ports.length));
}

function addClaim(usage: Map<string, Quantity>, { spec, metadata, status }: PersistentVolumeClaim): void {
  const annotated = getMember(metadata?.annotations ?? {}, STORAGE_CLASS_ANNOTATION);
  const className = typeof annotated === 'string' ? annotated : (spec?.storageClassName ?? '');
  const prefix = className === '' ? undefined : `${className}.storageclass.storage.k8s.io/`;
  if (prefix !== undefined) usage.set(`${prefix}persistentvolumeclaims`, count(1));
  // Whole bytes are charged. A claim whose request was reduced still uses its allocated size.
  const requested = amountOf(spec?.resources?.requests, 'storage');
  const allocated = amountOf(status?.allocatedResources, 'storage');
  if (requested === undefined) return;
  const larger =
    allocated !== undefined && compareQuantities(allocated, roundUpQuantity(requested, 0)) > 0
      ? allocated
      : requested;
  const amount = roundUpQuantity(larger, 0);
  usage.set('requests.storage', amount);
  if (prefix !== undefined) usage.set(`${prefix}requests.storage`, amount);
}

/** A scope of a quota, with the operator `Exists` for one of the list `scopes`. */
export interface QuotaScope {
  readonly scopeName: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** The scopes and the scope selector of a quota. */
export const scopesOf = ({ spec }: ResourceQuota): QuotaScope[] => [
  ...(spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists', values: [] })),
  ...(spec?.scopeSelector?.matchExpressions ?? []).map(
    ({ scopeName = '', operator = 'Exists', values = [] }) => ({ scopeName, operator, values }),
  ),
];

/** Returns whether a pod is in a scope. */
export const matchesRequirement = (pod: Pod, { scopeName, operator, values }: QuotaScope): boolean =>
  matchesScope(pod, scopeName, operator, values);

/** Returns whether an object matches the scopes of a quota. Only pods match scopes. */
export function matchesScopes(
  quota: ResourceQuota,
  group: string,
  resource: string,
  object: KubernetesObject,
): boolean {
  const requirements = scopesOf(quota);
  if (requirements.length === 0) return true;
  if (group !== '' || resource !== 'pods') return false;
  return requirements.every((requirement) => matchesRequirement(object as Pod, requirement));
}
