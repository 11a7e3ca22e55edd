import { aggregate } from '../../errors/aggregate.ts';
import type {
  LimitRange,
  LimitRangeItem,
  PersistentVolumeClaim,
  Pod,
} from '../../model/generated/core-v1.ts';
import { getMember, setMember } from '../../model/object.ts';
import { podResources } from '../../model/pod-resources.ts';
import { compareQuantities, type Quantity, quantityToNumber } from '../../model/quantity.ts';
import { formatAmount, type ResourceList, toResources } from '../../model/resource-list.ts';
import type { AdmissionRequest } from '../../request/admission.ts';
import { mapMaybePromise } from '../../steps/steps.ts';
import { admissionForbidden } from '../forbidden.ts';
import type { AdmissionListers } from '../listers.ts';
import type { BuiltinPlugin } from './builtin-plugin.ts';

const ANNOTATION = 'kubernetes.io/limit-ranger';

/**
 * Sets default requests and limits of containers, and enforces the limit ranges of the namespace on pods and
 * claims.
 */
export function limitRanger({ limitRanges }: Pick<AdmissionListers, 'limitRanges'>): BuiltinPlugin {
  return {
    handles: (operation, group, resource, subresource) =>
      group === '' &&
      (subresource === 'resize'
        ? operation === 'UPDATE'
        : subresource === '' &&
          ((resource === 'pods' && operation === 'CREATE') ||
            (resource === 'persistentvolumeclaims' && (operation === 'CREATE' || operation === 'UPDATE')))),
    admit(request) {
      if (request.resource.resource !== 'pods' || isDeleted(request)) return;
      return mapMaybePromise(limitRanges(request.namespace), (ranges) => {
        for (const range of ranges) setDefaults(request.object as Pod, range);
      });
    },
    validate(request) {
      if (isDeleted(request)) return;
      return mapMaybePromise(limitRanges(request.namespace), (ranges) => {
        for (const range of ranges) enforceLimits(request, range.spec?.limits ?? []);
      });
    },
  };
}

/** Whether the object is being deleted: it needs no limits any more. */
const isDeleted = ({ oldObject }: AdmissionRequest): boolean =>
  (oldObject?.metadata?.deletionTimestamp ?? undefined) !== undefined;

function setDefaults(pod: Pod, { spec }: LimitRange): void {
  const requests: Record<string, string> = {};
  const limits: Record<string, string> = {};
  for (const item of spec?.limits ?? []) {
    if (item.type !== 'Container') continue;
    for (const [name, amount] of Object.entries(item.defaultRequest ?? {})) setMember(requests, name, amount);
    for (const [name, amount] of Object.entries(item.default ?? {})) setMember(limits, name, amount);
  }
  const changes: string[] = [];
  const complete = (what: string, containers: NonNullable<Pod['spec']>['containers']) => {
    for (const container of containers ?? []) {
      container.resources ??= {};
      const { resources } = container;
      const addedRequests = addMissing(resources, 'requests', requests);
      const addedLimits = addMissing(resources, 'limits', limits);
      if (addedRequests.length > 0)
        changes.push(`${addedRequests.join(', ')} request for ${what} ${container.name}`);
      if (addedLimits.length > 0)
        changes.push(`${addedLimits.join(', ')} limit for ${what} ${container.name}`);
    }
  };
  complete('container', pod.spec?.containers);
  complete('init container', pod.spec?.initContainers);
  if (changes.length === 0) return;
  pod.metadata ??= {};
  pod.metadata.annotations ??= {};
  setMember(pod.metadata.annotations, ANNOTATION, `LimitRanger plugin set: ${changes.join('; ')}`);
}

/**
 * Adds missing defaults. The list then exists even if it is empty, which counts as a change in a resize.
 * @returns the added resource names, sorted
 */
function addMissing(
  resources: { requests?: Record<string, string>; limits?: Record<string, string> },
  which: 'requests' | 'limits',
  defaults: Record<string, string>,
): string[] {
  resources[which] ??= {};
  const current = resources[which];
  const missing = Object.keys(defaults).filter((name) => getMember(current, name) === undefined);
  for (const name of missing) setMember(current, name, getMember(defaults, name));
  return missing.sort();
}

/** @throws ApiError 403 with all violations */
function enforceLimits(request: AdmissionRequest, items: readonly LimitRangeItem[]): void {
  const errors =
    request.resource.resource === 'pods'
      ? items.flatMap((item) => podErrors(request.object as Pod, item))
      : items.flatMap((item) => claimErrors(request.object as PersistentVolumeClaim, item));
  if (errors.length > 0) throw admissionForbidden(request, aggregate(errors));
}

function podErrors(pod: Pod, item: LimitRangeItem): string[] {
  if (item.type === 'Pod')
    return boundErrors(item, podResources(pod, 'requests'), podResources(pod, 'limits'));
  if (item.type !== 'Container') return [];
  return [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])].flatMap(({ resources }) =>
    boundErrors(item, toResources(resources?.requests), toResources(resources?.limits)),
  );
}

function boundErrors(item: LimitRangeItem, requests: ResourceList, limits: ResourceList): string[] {
  return [
    ...bounds(item.min).flatMap(([name, least]) =>
      boundViolations(item, 'minimum', name, least, [
        ['request', requests.get(name)],
        ['limit', limits.get(name)],
      ]),
    ),
    ...bounds(item.max).flatMap(([name, most]) =>
      boundViolations(item, 'maximum', name, most, [
        ['limit', limits.get(name)],
        ['request', requests.get(name)],
      ]),
    ),
    ...bounds(item.maxLimitRequestRatio).flatMap(([name, most]) =>
      aboveRatio(item, name, most, requests.get(name), limits.get(name)),
    ),
  ];
}

/** Violations of a claim, which has requests but no limits. */
function claimErrors({ spec }: PersistentVolumeClaim, item: LimitRangeItem): string[] {
  if (item.type !== 'PersistentVolumeClaim') return [];
  const requests = toResources(spec?.resources?.requests);
  const violations = (bound: 'minimum' | 'maximum', limits: LimitRangeItem['min']): string[] =>
    bounds(limits).flatMap(([name, limit]) =>
      boundViolations(item, bound, name, limit, [['request', requests.get(name)]]),
    );
  return [...violations('minimum', item.min), ...violations('maximum', item.max)];
}

const bounds = (texts: Record<string, string> | undefined): [string, Quantity][] =>
  [...toResources(texts)].sort(([left], [right]) => (left < right ? -1 : 1));

/** Violations of a bound. @param amounts by word, in the order in which they are compared; the first is required */
function boundViolations(
  { type }: LimitRangeItem,
  bound: 'minimum' | 'maximum',
  name: string,
  limit: Quantity,
  amounts: readonly (readonly [word: 'request' | 'limit', amount: Quantity | undefined])[],
): string[] {
  const head = `${bound} ${name} usage per ${type} is ${formatAmount(limit)}`;
  const [required, given] = amounts[0]!;
  if (given === undefined) return [`${head}.  No ${required} is specified`];
  const outside = bound === 'minimum' ? -1 : 1;
  const found = amounts.find(
    ([, amount]) => amount !== undefined && Math.sign(compareQuantities(amount, limit)) === outside,
  );
  return found === undefined ? [] : [`${head}, but ${found[0]} is ${formatAmount(found[1]!)}`];
}

function aboveRatio(
  { type }: LimitRangeItem,
  name: string,
  most: Quantity,
  request: Quantity | undefined,
  limit: Quantity | undefined,
): string[] {
  const head = `${name} max limit to request ratio per ${type} is ${formatAmount(most)}`;
  if (request === undefined || request.unscaled === 0n)
    return [`${head}, but no request is specified or request is 0`];
  if (limit === undefined || limit.unscaled === 0n)
    return [`${head}, but no limit is specified or limit is 0`];
  const ratio = quantityToNumber(limit) / quantityToNumber(request);
  return ratio > quantityToNumber(most) ? [`${head}, but provided ratio is ${ratio.toFixed(6)}`] : [];
}
