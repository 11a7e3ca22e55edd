import { quote } from '../../errors/quote.ts';
import type {
  ResourceQuota,
  ResourceQuotaSpec,
  ScopedResourceSelectorRequirement,
} from '../../model/generated/core-v1.ts';
import { type FieldError, invalid, invalidFormatted, required } from '../../status/field-error.ts';
import { checkEach, once } from '../../steps/replay.ts';
import { formatGoStrings } from '../validation/format-value.ts';
import {
  isQuotaResource,
  validateQuotaResourceName,
  validateResourceAmount,
} from '../validation/resource-names.ts';

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

/** Validates amounts, scopes and scope selector of a ResourceQuota. */
export const validateResourceQuota = ({ spec = {} }: ResourceQuota): FieldError[] => [
  ...validateAmounts(spec.hard, 'spec.hard'),
  ...validateScopes(spec.scopes ?? [], spec.hard ?? {}),
  ...validateScopeSelector(spec.scopeSelector?.matchExpressions ?? [], spec),
];

/** Validates the amounts in the status of a ResourceQuota. */
export const validateQuotaStatus = ({ status = {} }: ResourceQuota): FieldError[] => [
  ...validateAmounts(status.hard, 'status.hard'),
  ...validateAmounts(status.used, 'status.used'),
];

/** Rejects a change of the scopes; their order is irrelevant. */
export function validateScopesUnchanged({ spec }: ResourceQuota, { spec: old }: ResourceQuota): FieldError[] {
  const [scopes, oldScopes] = [new Set(spec?.scopes), new Set(old?.scopes)];
  if (scopes.size === oldScopes.size && [...scopes].every((scope) => oldScopes.has(scope))) return [];
  return [invalidFormatted('spec.scopes', formatScopes(spec?.scopes), 'field is immutable')];
}

const validateAmounts = (amounts: Record<string, string> = {}, field: string): FieldError[] =>
  checkEach(amounts, { place: field, cost: 10, items: () => Object.keys(amounts) }, (name) => [
    ...validateQuotaResourceName(name, `${field}[${name}]`),
    ...validateResourceAmount(name, amounts[name]!, `${field}[${name}]`),
  ]);

const formatScopes = (scopes: readonly string[] | undefined): string =>
  formatGoStrings(scopes).replace('[]string', '[]core.ResourceQuotaScope');

/** Whether the scope can be applied to a resource: scopes select pods, so only pod resources match. */
function scopeAppliesTo(scope: string, resource: string): boolean {
  if (!SCOPES.includes(scope)) return true;
  return scope === 'BestEffort' ? resource === 'pods' : POD_RESOURCES.includes(resource);
}

/** Counts the resources that a scope cannot be applied to, once per distinct scope. */
function mismatchCounter(hard: object): (scope: string) => number {
  let countable: readonly string[] | undefined;
  const counts = new Map<string, number>();
  return (scope) => {
    let count = counts.get(scope);
    if (count === undefined) {
      countable ??= once(hard, { place: 'countable', cost: 2048 }, () =>
        Object.keys(hard).filter(isQuotaResource),
      );
      count = SCOPES.includes(scope) ? countable.filter((name) => !scopeAppliesTo(scope, name)).length : 0;
      counts.set(scope, count);
    }
    return count;
  };
}

/** Returns a factory of errors about a whole list. The list is formatted once, to bound memory. */
function listErrorFactory(field: string, format: () => string): (detail: string) => FieldError {
  let formatted: string | undefined;
  return (detail) => {
    formatted ??= format();
    return invalidFormatted(field, formatted, detail);
  };
}

const countConflicts = (scopes: readonly string[]): number =>
  CONFLICTS.filter((pair) => pair.every((scope) => scopes.includes(scope))).length;

function validateScopes(scopes: readonly string[], hard: object): FieldError[] {
  const listError = listErrorFactory('spec.scopes', () => formatScopes(scopes));
  const mismatches = mismatchCounter(hard);
  return [
    ...scopes.flatMap((scope) => [
      ...(SCOPES.includes(scope) ? [] : [listError('unsupported scope')]),
      ...Array.from({ length: mismatches(scope) }, () => listError('unsupported scope applied to resource')),
    ]),
    ...Array.from({ length: countConflicts(scopes) }, () => listError('conflicting scopes')),
  ];
}

/** Formats the scope selector like Go. */
function formatScopeSelector(requirements: readonly ScopedResourceSelectorRequirement[]): string {
  const type = 'core.ScopedResourceSelectorRequirement';
  const items = requirements.map(
    ({ scopeName = '', operator = '', values }) =>
      `${type}{ScopeName:${quote(scopeName)}, Operator:${quote(operator)}, Values:${formatGoStrings(values)}}`,
  );
  return `core.ScopeSelector{MatchExpressions:[]${type}{${items.join(', ')}}}`;
}

function validateScopeSelector(
  requirements: readonly ScopedResourceSelectorRequirement[],
  { hard = {}, scopes: listed }: ResourceQuotaSpec,
): FieldError[] {
  const field = 'spec.scopeSelector.matchExpressions';
  const scopes = requirements.map(({ scopeName = '' }) => scopeName);
  const listError = listErrorFactory(field, () => formatScopeSelector(requirements));
  const mismatches = mismatchCounter(hard);
  return [
    ...requirements.flatMap((requirement) => [
      ...(SCOPES.includes(requirement.scopeName ?? '')
        ? []
        : [invalid(`${field}.scopeName`, requirement.scopeName ?? '', 'unsupported scope')]),
      ...Array.from({ length: mismatches(requirement.scopeName ?? '') }, () =>
        listError('unsupported scope applied to resource'),
      ),
      ...validateRequirement(requirement, field),
    ]),
    // kube-apiserver shows the list of scopes, not the selector.
    ...Array.from({ length: countConflicts(scopes) }, () =>
      invalidFormatted(field, formatScopes(listed), 'conflicting scopes'),
    ),
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
        `must be 'Exists' when scope is any of ${list.slice(0, -1).join(', ')} or ${list.at(-1)}`,
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
          "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
        ),
      );
    }
  } else errors.push(invalid(`${field}.operator`, operator, 'not a valid selector operator'));
  return errors;
}
