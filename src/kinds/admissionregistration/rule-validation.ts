import type {
  NamedRuleWithOperations,
  RuleWithOperations,
} from '../../model/generated/admissionregistration-v1.ts';
import { nameIsPathSegment } from '../../model/name-syntax.ts';
import { duplicate, type FieldError, invalid, invalidFormatted, required } from '../../status/field-error.ts';
import { findDuplicateStrings } from '../validation/duplicates.ts';
import { invalidTexts, validateOneOf } from '../validation/fields.ts';
import { formatGoList, formatGoText } from '../validation/format-struct.ts';
import { formatGoStrings } from '../validation/format-value.ts';

const ALL = '*';
const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];

export function setRuleDefaults(rules: readonly RuleWithOperations[] | undefined): void {
  for (const rule of rules ?? []) rule.scope ??= ALL;
}

/** Validates a rule: no list is empty, and `*` is the only element of its list. */
export function validateRule(
  { operations = [], apiGroups = [], apiVersions = [], resources = [], scope }: RuleWithOperations,
  field: string,
): FieldError[] {
  return [
    ...validateWildcardAlone(
      operations,
      `${field}.operations`,
      'operations',
      formatGoList('admissionregistration.OperationType', operations, formatGoText),
    ),
    ...operations.flatMap((operation, index) =>
      validateOneOf(operation, OPERATIONS, `${field}.operations[${index}]`),
    ),
    ...validateWildcardAlone(apiGroups, `${field}.apiGroups`, 'API groups', formatGoStrings(apiGroups)),
    ...validateWildcardAlone(
      apiVersions,
      `${field}.apiVersions`,
      'API versions',
      formatGoStrings(apiVersions),
    ),
    ...apiVersions.flatMap((version, index) =>
      version === '' ? [required(`${field}.apiVersions[${index}]`)] : [],
    ),
    ...validateResources(resources, `${field}.resources`),
    ...(scope === undefined ? [] : validateOneOf(scope, ['*', 'Cluster', 'Namespaced'], `${field}.scope`)),
  ];
}

export function validateNamedRule(rule: NamedRuleWithOperations, field: string): FieldError[] {
  const { resourceNames = [] } = rule;
  const repeated = findDuplicateStrings(resourceNames);
  return [
    ...resourceNames.flatMap((name, index) => [
      ...invalidTexts(`${field}.resourceNames[${index}]`, name, nameIsPathSegment(name, false)),
      ...(repeated.has(index) ? [duplicate(`${field}.resourceNames[${index}]`, name)] : []),
    ]),
    ...validateRule(rule, field),
  ];
}

function validateWildcardAlone(
  list: readonly string[],
  field: string,
  plural: string,
  formatted: string,
): FieldError[] {
  if (list.length === 0) return [required(field)];
  return list.length > 1 && list.includes(ALL)
    ? [invalidFormatted(field, formatted, `if '*' is present, must not specify other ${plural}`)]
    : [];
}

/**
 * Validates `resource`, `resource/subresource` and wildcards for either part; rejects entries that a previous
 * wildcard covers.
 */
function validateResources(resources: readonly string[], field: string): FieldError[] {
  if (resources.length === 0) return [required(field)];
  const errors: FieldError[] = [];
  const allSubresourcesOf = new Set<string>();
  const allResourcesWith = new Set<string>();
  let lastPlainIsNotWildcard = false;
  for (const [index, entry] of resources.entries()) {
    const path = `${field}[${index}]`;
    if (entry === '') {
      errors.push(required(path));
      continue;
    }
    const slash = entry.indexOf('/');
    if (slash < 0) {
      lastPlainIsNotWildcard = entry !== ALL;
      continue;
    }
    const [resource, subresource] = [entry.slice(0, slash), entry.slice(slash + 1)];
    if (allSubresourcesOf.has(resource))
      errors.push(invalid(path, entry, `if '${resource}/*' is present, must not specify ${entry}`));
    if (allResourcesWith.has(subresource))
      errors.push(invalid(path, entry, `if '*/${subresource}' is present, must not specify ${entry}`));
    if (subresource === ALL) allSubresourcesOf.add(resource);
    if (resource === ALL) allResourcesWith.add(subresource);
  }
  const reject = (text: string): number =>
    errors.push(invalidFormatted(field, formatGoStrings(resources), text));
  if (resources.length > 1 && resources.includes('*/*'))
    reject("if '*/*' is present, must not specify other resources");
  if (resources.includes(ALL) && lastPlainIsNotWildcard)
    reject("if '*' is present, must not specify other resources without subresources");
  return errors;
}
