import type { ResourceQuota, ScopedResourceSelectorRequirement } from '../../../model/generated/core-v1.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { formatGoStrings, formatGoValue, invalidFormatted } from '../../validation/format-value.ts';
import { checkEach } from '../../validation/pausing.ts';
import {
  isQuotaResource,
  validateQuotaResourceName,
  validateResourceAmount,
} from '../../validation/resource-names.ts';

const SCOPES = [
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
];
const EXISTENCE_SCOPES = SCOPES.filter((scope) => scope !== 'PriorityClass');
const CONFLICTS = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
];
const POD_RESOURCES = [
  'pods',
  'cpu',
  'memory',
  'limits.cpu',
  'limits.memory',
  'requests.cpu',
  'requests.memory',
];

export const validateResourceQuota = ({ spec = {} }: ResourceQuota): FieldError[] => [
  ...validateAmounts(spec.hard, 'spec.hard'),
  ...validateScopes(spec.scopes ?? [], Object.keys(spec.hard ?? {})),
  ...validateScopeSelector(spec.scopeSelector?.matchExpressions ?? [], Object.keys(spec.hard ?? {})),
];

export const validateQuotaStatus = ({ status = {} }: ResourceQuota): FieldError[] => [
  ...validateAmounts(status.hard, 'status.hard'),
  ...validateAmounts(status.used, 'status.used'),
];

export function validateScopesUnchanged({ spec }: ResourceQuota, { spec: old }: ResourceQuota): FieldError[] {
  const [scopes, before] = [new Set(spec?.scopes), new Set(old?.scopes)];
  if (scopes.size === before.size && [...scopes].every((scope) => before.has(scope))) return [];
  return [invalidFormatted('spec.scopes', formatScopes(spec?.scopes), 'field is immutable')];
}

const validateAmounts = (amounts: Record<string, string> = {}, field: string): FieldError[] =>
  checkEach(amounts, { place: field, cost: 4, items: Object.entries(amounts) }, ([name, amount]) => [
    ...validateQuotaResourceName(name, `${field}[${name}]`),
    ...validateResourceAmount(name, amount, `${field}[${name}]`),
  ]);

const formatScopes = (scopes: readonly string[] | undefined): string =>
  formatGoStrings(scopes).replace('[]string', '[]core.ResourceQuotaScope');

/** Scopes are about pods: only amounts of them can be counted in a scope. */
function scopeAppliesTo(scope: string, resource: string): boolean {
  if (!SCOPES.includes(scope)) return true;
  return scope === 'BestEffort' ? resource === 'pods' : POD_RESOURCES.includes(resource);
}

/** How many of the amounts don't fit a scope; each scope is looked at once, however often it is named. */
function mismatchCounter(hard: readonly string[]): (scope: string) => number {
  const countable = hard.filter(isQuotaResource);
  const known = new Map<string, number>();
  return (scope) => {
    let count = known.get(scope);
    if (count === undefined) {
      count = SCOPES.includes(scope) ? countable.filter((name) => !scopeAppliesTo(scope, name)).length : 0;
      known.set(scope, count);
    }
    return count;
  };
}

/**
 * Makes the error of a whole list; the list is shown once, since a text for each item would take gigabytes.
 */
function listErrorFactory(field: string, show: () => string): (detail: string) => FieldError {
  let shown: string | undefined;
  return (detail) => {
    shown ??= show();
    return invalidFormatted(field, shown, detail);
  };
}

const countConflicts = (scopes: readonly string[]): number =>
  CONFLICTS.filter((pair) => pair.every((scope) => scopes.includes(scope))).length;

function validateScopes(scopes: readonly string[], hard: readonly string[]): FieldError[] {
  const wrong = listErrorFactory('spec.scopes', () => formatScopes(scopes));
  const misfits = mismatchCounter(hard);
  return [
    ...scopes.flatMap((scope) => [
      ...(SCOPES.includes(scope) ? [] : [wrong('unsupported scope')]),
      ...Array.from({ length: misfits(scope) }, () => wrong('unsupported scope applied to resource')),
    ]),
    ...Array.from({ length: countConflicts(scopes) }, () => wrong('conflicting scopes')),
  ];
}

function validateScopeSelector(
  requirements: readonly ScopedResourceSelectorRequirement[],
  hard: readonly string[],
): FieldError[] {
  const field = 'spec.scopeSelector.matchExpressions';
  const scopes = requirements.map(({ scopeName = '' }) => scopeName);
  const wrong = listErrorFactory(field, () => formatGoValue(requirements));
  const misfits = mismatchCounter(hard);
  return [
    ...requirements.flatMap((requirement) => [
      ...(SCOPES.includes(requirement.scopeName ?? '')
        ? []
        : [invalid(`${field}.scopeName`, requirement.scopeName ?? '', 'unsupported scope')]),
      ...Array.from({ length: misfits(requirement.scopeName ?? '') }, () =>
        wrong('unsupported scope applied to resource'),
      ),
      ...validateRequirement(requirement, field),
    ]),
    ...Array.from({ length: countConflicts(scopes) }, () => wrong('conflicting scopes')),
  ];
}

function validateRequirement(
  { scopeName = '', operator = '', values = [] }: ScopedResourceSelectorRequirement,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (EXISTENCE_SCOPES.includes(scopeName) && operator !== 'Exists') {
    const list = EXISTENCE_SCOPES.map((scope) => `ResourceQuotaScope${scope}`);
    errors.push(
      invalid(
        `${field}.operator`,
        operator,
        `must be 'Exist' when scope is any of ${list.slice(0, -1).join(', ')} or ${list.at(-1)}`,
      ),
    );
  }
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0)
      errors.push(
        required(
          `${field}.values`,
          "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
        ),
      );
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) {
      errors.push(
        invalidFormatted(
          `${field}.values`,
          formatGoStrings(values),
          "must be no value when `operator` is 'Exists' or 'DoesNotExist' for scope selector",
        ),
      );
    }
  } else errors.push(invalid(`${field}.operator`, operator, 'not a valid selector operator'));
  return errors;
}
