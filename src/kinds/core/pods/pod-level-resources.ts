import type { PodSpec } from '../../../model/generated/core-v1.ts';
import type { Life } from '../../../model/life.ts';
import { setMember } from '../../../model/object.ts';
import { containerResources } from '../../../model/pod-resources.ts';
import { compareQuantities } from '../../../model/quantity.ts';
import { formatAmount, toResources } from '../../../model/resource-list.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import { type FieldError, forbidden, invalid, notSupportedFormatted } from '../../../status/field-error.ts';
import { isOvercommitAllowed, validateResourceName } from '../../validation/resource-names.ts';
import { validateResourceRequirements } from '../../validation/resources.ts';
import { validateContainerClaims } from './resource-claims-validation.ts';

/** The feature gate of resources of a whole pod. */
export const POD_LEVEL_RESOURCES = 'PodLevelResources';

const HUGE_PAGES = 'hugepages-';
const HAS_HUGE_PAGES: Life = { since: '1.33' };
/** Container requests that the pod does not request are compared with zero. */
const COMPARES_ABSENT: Life = { until: '1.34' };
const SAYS_CANNOT: Life = { until: '1.34' };
const FORBIDS_WINDOWS: Life = { since: '1.34' };

type Amounts = Record<string, string>;

const isHugePages = (name: string): boolean => name.startsWith(HUGE_PAGES);
/** Whether a whole pod can have a resource. */
export const isPodLevelResource = (name: string, { has }: RuleContext): boolean =>
  name === 'cpu' || name === 'memory' || (isHugePages(name) && has(HAS_HUGE_PAGES));

/** Completes the resources of a pod that has some, from its containers and its own limits. */
export function setPodLevelResources(spec: PodSpec, context: RuleContext): void {
  const { resources } = spec;
  if (resources === undefined) return;
  if (context.has(HAS_HUGE_PAGES)) setHugePageLimits(spec, resources);
  const { limits = {} } = resources;
  if (Object.keys(limits).length === 0) return;
  const requests: Amounts = resources.requests ?? {};
  const isMissing = (name: string): boolean =>
    isPodLevelResource(name, context) && !Object.hasOwn(requests, name);
  for (const [name, amount] of containerResources(spec, 'requests'))
    if (isMissing(name) && isOvercommitAllowed(name)) setMember(requests, name, formatAmount(amount));
  for (const [name, limit] of Object.entries(limits)) if (isMissing(name)) setMember(requests, name, limit);
  if (Object.keys(requests).length > 0) resources.requests = requests;
}

/** The huge pages of the containers are a limit of a pod that neither limits nor requests them. */
function setHugePageLimits(spec: PodSpec, resources: NonNullable<PodSpec['resources']>): void {
  const { requests = {} } = resources;
  const limits: Amounts = resources.limits ?? {};
  if (Object.keys(limits).length + Object.keys(requests).length === 0) return;
  for (const [name, amount] of containerResources(spec, 'limits'))
    if (isHugePages(name) && !Object.hasOwn(requests, name) && !Object.hasOwn(limits, name))
      setMember(limits, name, formatAmount(amount));
  if (Object.keys(limits).length > 0) resources.limits = limits;
}

/** Validates the resources of a whole pod, and that they suffice for its containers. */
export function validatePodLevelResources(spec: PodSpec, field: string, context: RuleContext): FieldError[] {
  const { resources } = spec;
  if (resources === undefined) return [];
  if (spec.os?.name === 'windows' && context.has(FORBIDS_WINDOWS))
    return [forbidden(field, 'may not be set for a windows pod')];
  const refusal = context.has(SAYS_CANNOT) ? 'cannot' : 'may not';
  return [
    ...(resources.claims === undefined
      ? []
      : [forbidden(`${field}.claims`, `claims ${refusal} be set for Resources at pod-level`)]),
    ...validateResourceRequirements(resources, field, (name, path) => validateName(name, path, context)),
    ...validateContainerClaims(resources.claims, spec.resourceClaims, `${field}.claims`),
    ...validateSum(spec, 'requests', `${field}.requests`, context),
    ...(context.has(HAS_HUGE_PAGES) ? validateSum(spec, 'limits', `${field}.limits`, context) : []),
    ...validateContainerLimits(spec, field),
  ];
}

function validateName(name: string, field: string, context: RuleContext): FieldError[] {
  const errors = validateResourceName(name, field);
  if (errors.length > 0 || isPodLevelResource(name, context)) return errors;
  const supported = context.has(HAS_HUGE_PAGES) ? ['cpu', HUGE_PAGES, 'memory'] : ['cpu', 'memory'];
  return [notSupportedFormatted(field, name, supported)];
}

/** The pod must have what its containers have together: requests, and limits of huge pages. */
function validateSum(
  spec: PodSpec,
  which: 'requests' | 'limits',
  field: string,
  { has }: RuleContext,
): FieldError[] {
  const own = toResources(spec.resources?.[which]);
  return [...containerResources(spec, which)].flatMap(([name, sum]) => {
    if (which === 'limits' && !isHugePages(name)) return [];
    const amount = own.get(name);
    if (amount === undefined && !(which === 'requests' && has(COMPARES_ABSENT))) return [];
    if (amount !== undefined && compareQuantities(sum, amount) <= 0) return [];
    const text = `must be greater than or equal to aggregate container ${which} of ${formatAmount(sum)}`;
    return [invalid(`${field}[${name}]`, amount === undefined ? '0' : formatAmount(amount), text)];
  });
}

function validateContainerLimits(spec: PodSpec, field: string): FieldError[] {
  const own = toResources(spec.resources?.limits);
  return (spec.containers ?? []).flatMap(({ resources }, index) =>
    [...toResources(resources?.limits)].flatMap(([name, limit]) => {
      const amount = own.get(name);
      if (amount === undefined || compareQuantities(limit, amount) <= 0) return [];
      const text = `must be less than or equal to pod limits of ${formatAmount(amount)}`;
      return [invalid(`${field}.containers[${index}][${name}].limits`, formatAmount(limit), text)];
    }),
  );
}
