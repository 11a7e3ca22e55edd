import type { Pod, ResourceQuota } from '../../model/generated/core-v1.ts';
import { compareQuantities, type Quantity } from '../../model/quantity.ts';
import {
  addResources,
  formatResources,
  increase,
  mask,
  toResources,
  toTexts,
} from '../../model/resource-list.ts';
import { countedKind } from '../../quota/counted.ts';
import { describeMissingResources, type UsageConditions } from '../../quota/pods.ts';
import { matchesRequirement, matchesScopes, scopesOf, usageOf } from '../../quota/usage.ts';
import type { AdmissionRequest } from '../../request/admission.ts';
import { errors } from '../../status/errors.ts';
import type { ClusterClock } from '../../time/clock.ts';
import { admissionForbidden } from '../forbidden.ts';
import type { AdmissionListers, StoredQuota } from '../listers.ts';
import type { LimitedResource, PluginConfiguration } from '../plugin-configuration.ts';
import { pluginError } from '../plugin-error.ts';
import type { BuiltinPlugin } from './builtin-plugin.ts';

export interface ResourceQuotaOptions
  extends Pick<AdmissionListers, 'resourceQuotas'>,
    Pick<PluginConfiguration, 'limitedResources'> {
  /** The cluster's time in milliseconds. */
  readonly now: ClusterClock['now'];
  /** Whether pods can be resized: the resources in their status count too. */
  readonly resizesPods: boolean;
}

/** Resources that are not stored, and events, which quotas do not count. */
const UNCOUNTED = new Set(['bindings', 'events', 'localsubjectaccessreviews']);
/** Resources whose usage may grow with an update. */
const GROWING = new Set(['services', 'persistentvolumeclaims']);
/** Maximum attempts of the compare and swap. */
const ATTEMPTS = 20;

/**
 * Enforces resource quotas. The usage in the quota status is increased by compare and swap before the object
 * is stored, so that concurrent requests cannot exceed the quota; the controller recalculates decreases. A
 * quota without usage in its status is not enforced yet.
 */
export function resourceQuota({
  resourceQuotas,
  limitedResources,
  now,
  resizesPods,
}: ResourceQuotaOptions): BuiltinPlugin {
  const conditions = (): UsageConditions => ({ now: now(), countsStatus: resizesPods });
  const limitsOn = ({ resource: { group, resource } }: AdmissionRequest): readonly LimitedResource[] =>
    limitedResources.filter((one) => one.group === group && one.resource === resource);
  /** Serializes the requests of a namespace to avoid conflicts. */
  const pending = new Map<string, Promise<void>>();

  const validate = async (request: AdmissionRequest): Promise<void> => {
    const charged = new Set<string>();
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const all = await resourceQuotas(request.namespace);
      const open = all.filter(({ quota }) => !charged.has(nameOf(quota)));
      // All quotas are checked before any is charged: an exceeded one must not cost the others.
      const charges = open.flatMap((stored) => charge(request, stored, conditions()) ?? []);
      requireCoverage(
        request,
        limitsOn(request),
        all.map(({ quota }) => quota),
        conditions(),
      );
      if (request.dryRun) return;
      for (const { stored, used } of charges)
        if (await stored.updateUsed(toTexts(used))) charged.add(nameOf(stored.quota));
      if (charges.every(({ stored }) => charged.has(nameOf(stored.quota)))) return;
    }
    throw errors.conflict(
      { group: '', resource: 'resourcequotas' },
      '',
      'Operation cannot be fulfilled on the quota; please try again',
    );
  };

  return {
    handles: (operation, group, resource, subresource) =>
      subresource === 'resize'
        ? operation === 'UPDATE' && group === '' && resource === 'pods'
        : subresource === '' &&
          ((operation === 'CREATE' && !UNCOUNTED.has(resource)) ||
            (operation === 'UPDATE' && group === '' && GROWING.has(resource))),
    async validate(request) {
      const { namespace } = request;
      if (namespace === '') return;
      if (limitsOn(request).length === 0 && (await resourceQuotas(namespace)).length === 0) return;
      const previous = pending.get(namespace) ?? Promise.resolve();
      const result = previous.then(() => validate(request));
      const settled = result.catch(() => undefined);
      pending.set(namespace, settled);
      try {
        await result;
      } finally {
        if (pending.get(namespace) === settled) pending.delete(namespace);
      }
    },
  };
}

interface Charge {
  readonly stored: StoredQuota;
  readonly used: Map<string, Quantity>;
}

const nameOf = ({ metadata }: ResourceQuota): string => metadata?.name ?? '';

/** Calculates the charge of a request to a quota; undefined when there is none. @throws ApiError 403 */
function charge(
  request: AdmissionRequest,
  stored: StoredQuota,
  conditions: UsageConditions,
): Charge | undefined {
  const { resource, oldObject } = request;
  const object = request.object!;
  const { quota } = stored;
  const name = nameOf(quota);
  const hard = toResources(quota.status?.hard);
  const used = toResources(quota.status?.used);
  const usage = usageOf(resource.group, resource.resource, object, conditions);
  const isPod = resource.group === '' && resource.resource === 'pods';
  if (!matchesScopes(quota, resource.group, resource.resource, object)) return undefined;
  const names = new Set(hard.keys());
  const missing = isPod ? describeMissingResources(object as Pod, names) : undefined;
  if (missing !== undefined) throw admissionForbidden(request, `failed quota: ${name}: ${missing}`);
  const counted = mask(usage, hard);
  const restricted = [...names].filter((one) => countsAs(one, resource)).sort();
  if (restricted.some((one) => !used.has(one)))
    throw admissionForbidden(
      request,
      `status unknown for quota: ${name}, resources: ${restricted.join(',')}`,
    );
  const added = increase(
    counted,
    oldObject === undefined ? new Map() : usageOf(resource.group, resource.resource, oldObject, conditions),
  );
  if (added.size === 0) return undefined;
  const next = addResources(used, added);
  const exceeded = new Set(
    [...added.keys()].filter((one) => compareQuantities(next.get(one)!, hard.get(one)!) > 0),
  );
  if (exceeded.size > 0)
    throw admissionForbidden(
      request,
      `exceeded quota: ${name}, requested: ${formatResources(mask(added, exceeded))}, used: ${formatResources(mask(used, exceeded))}, limited: ${formatResources(mask(hard, exceeded))}`,
    );
  return { stored, used: next };
}

/** Whether a quota resource counts objects of this resource. */
function countsAs(name: string, { group, resource }: AdmissionRequest['resource']): boolean {
  const counted = countedKind(name);
  return counted.group === group && counted.resource === resource;
}

/**
 * Rejects consumption of limited resources that no quota covers.
 * @throws ApiError 403 for a quota resource, 500 for a scope
 */
function requireCoverage(
  request: AdmissionRequest,
  limited: readonly LimitedResource[],
  quotas: readonly ResourceQuota[],
  conditions: UsageConditions,
): void {
  const { resource, oldObject } = request;
  if (limited.length === 0) return;
  const object = request.object!;
  const usage = usageOf(resource.group, resource.resource, object, conditions);
  const before =
    oldObject === undefined ? new Map() : usageOf(resource.group, resource.resource, oldObject, conditions);
  if (increase(usage, before).size === 0) return;
  const covered = new Set(
    quotas
      .filter((quota) => matchesScopes(quota, resource.group, resource.resource, object))
      .flatMap(({ status }) => Object.keys(status?.hard ?? {}))
      .filter((name) => countsAs(name, resource)),
  );
  const uncovered = [...increase(usage, new Map()).keys()].filter(
    (name) =>
      !covered.has(name) &&
      limited.some(({ matchContains }) => matchContains.some((part) => name.includes(part))),
  );
  if (uncovered.length > 0)
    throw admissionForbidden(request, `insufficient quota to consume: ${uncovered.sort().join(',')}`);
  if (resource.group !== '' || resource.resource !== 'pods') return;
  const coveredScopes = new Set(
    quotas
      .flatMap(scopesOf)
      .filter((scope) => matchesRequirement(object as Pod, scope))
      .map(({ scopeName }) => scopeName),
  );
  const open = limited
    .flatMap(({ matchScopes }) => matchScopes)
    .filter((scope) => matchesRequirement(object as Pod, scope) && !coveredScopes.has(scope.scopeName));
  if (open.length > 0)
    throw pluginError(
      `insufficient quota to match these scopes: [${open.map(({ scopeName, operator, values }) => `{${scopeName} ${operator} [${values.join(' ')}]}`).join(' ')}]`,
    );
}
