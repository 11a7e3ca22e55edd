import type {
  FlowSchema,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  PriorityLevelConfiguration,
  ResourcePolicyRule,
  Subject,
} from '../../model/generated/flowcontrol-v1.ts';
import { nameIsLabel, nameIsSubdomain } from '../../model/name-syntax.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalidFormatted,
  notSupportedFormatted,
  required,
} from '../../status/field-error.ts';
import { findDuplicates } from '../validation/duplicates.ts';
import { invalidTexts, validateOneOf } from '../validation/fields.ts';
import { formatGoStrings } from '../validation/format-value.ts';

const ALL = '*';
/** Verbs of rules of both kinds. */
const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

export function validateRules(
  { subjects = [], resourceRules = [], nonResourceRules = [] }: PolicyRulesWithSubjects,
  field: string,
): FieldError[] {
  return [
    ...(subjects.length === 0
      ? [required(`${field}.subjects`, 'subjects must contain at least one value')]
      : []),
    ...subjects.flatMap((subject, index) => validateSubject(subject, `${field}.subjects[${index}]`)),
    ...(resourceRules.length + nonResourceRules.length === 0
      ? [required(field, 'at least one of resourceRules and nonResourceRules has to be non-empty')]
      : []),
    ...resourceRules.flatMap((rule, index) => validateResourceRule(rule, `${field}.resourceRules[${index}]`)),
    ...nonResourceRules.flatMap((rule, index) =>
      validatePathRule(rule, `${field}.nonResourceRules[${index}]`),
    ),
  ];
}

/** Member of each subject kind. */
const MEMBERS = { Group: 'group', ServiceAccount: 'serviceAccount', User: 'user' } as const;
const isKind = (kind: string): kind is keyof typeof MEMBERS => Object.hasOwn(MEMBERS, kind);

/** Validates a subject: it has exactly the member of its kind. */
function validateSubject(subject: Subject, field: string): FieldError[] {
  const { kind = '' } = subject;
  if (!isKind(kind)) return validateOneOf(kind, Object.keys(MEMBERS), `${field}.kind`);
  const member = MEMBERS[kind];
  const path = `${field}.${member}`;
  const subjectMember = subject[member];
  const errors =
    subjectMember === undefined
      ? [required(path, `${member} is required when subject kind is '${kind}'`)]
      : kind === 'ServiceAccount'
        ? validateServiceAccount(subject.serviceAccount!, path)
        : subjectMember.name
          ? []
          : [required(`${path}.name`)];
  const others = (['ServiceAccount', 'User', 'Group'] as const).filter(
    (other) => other !== kind && subject[MEMBERS[other]] !== undefined,
  );
  return [
    ...errors,
    ...others.map((other) =>
      forbidden(
        `${field}.${MEMBERS[other]}`,
        `${MEMBERS[other]} is forbidden when subject kind is not '${other}'`,
      ),
    ),
  ];
}

function validateServiceAccount(
  { name = '', namespace = '' }: NonNullable<Subject['serviceAccount']>,
  field: string,
): FieldError[] {
  const nameErrors =
    name === ''
      ? [required(`${field}.name`)]
      : name === ALL
        ? []
        : invalidTexts(`${field}.name`, name, nameIsSubdomain(name, false));
  const namespaceErrors =
    namespace === ''
      ? [required(`${field}.namespace`, 'must specify namespace for service account')]
      : invalidTexts(`${field}.namespace`, namespace, nameIsLabel(namespace, false));
  return [...nameErrors, ...namespaceErrors];
}

/** Validates a list: not empty, and `*` is its only element. */
function validateWildcardList(
  list: readonly string[],
  field: string,
  plural: string,
  requiredText: string,
): FieldError[] {
  if (list.length === 0) return [required(field, requiredText)];
  return list.length > 1 && list.includes(ALL)
    ? [invalidFormatted(field, formatGoStrings(list), `if '*' is present, must not specify other ${plural}`)]
    : [];
}

function validateVerbs(verbs: readonly string[], supported: readonly string[], field: string): FieldError[] {
  if (verbs.length === 0 || verbs.includes(ALL))
    return validateWildcardList(verbs, field, 'verbs', 'verbs must contain at least one value');
  return verbs.every((verb) => supported.includes(verb))
    ? []
    : [notSupportedFormatted(field, formatGoStrings(verbs), supported)];
}

function validateResourceRule(
  { verbs = [], apiGroups = [], resources = [], namespaces = [], clusterScope = false }: ResourcePolicyRule,
  field: string,
): FieldError[] {
  const errors = [
    ...validateVerbs(verbs, VERBS, `${field}.verbs`),
    ...validateWildcardList(
      apiGroups,
      `${field}.apiGroups`,
      'api groups',
      'resource rules must supply at least one api group',
    ),
    ...validateWildcardList(
      resources,
      `${field}.resources`,
      'resources',
      'resource rules must supply at least one resource',
    ),
  ];
  if (namespaces.length === 0 && clusterScope) return errors;
  const path = `${field}.namespaces`;
  const listErrors = validateWildcardList(
    namespaces,
    path,
    'namespaces',
    'resource rules that are not cluster scoped must supply at least one namespace',
  );
  if (listErrors.length > 0) return [...errors, ...listErrors];
  return [
    ...errors,
    ...namespaces.flatMap((namespace, index) =>
      namespace === ALL ? [] : invalidTexts(`${path}[${index}]`, namespace, nameIsLabel(namespace, false)),
    ),
  ];
}

function validatePathRule(
  { verbs = [], nonResourceURLs = [] }: NonResourcePolicyRule,
  field: string,
): FieldError[] {
  const path = `${field}.nonResourceURLs`;
  const listErrors = validateWildcardList(
    nonResourceURLs,
    path,
    'non-resource URLs',
    'nonResourceURLs must contain at least one value',
  );
  const paths =
    listErrors.length > 0
      ? listErrors
      : nonResourceURLs.flatMap((url, index) => validatePath(url, `${path}[${index}]`));
  return [...validateVerbs(verbs, VERBS, `${field}.verbs`), ...paths];
}

/** Validates an absolute path; `*` is allowed only as the whole last segment. */
function validatePath(url: string, field: string): FieldError[] {
  if (url === ALL || url === '/') return [];
  if (url === '') return [invalid(field, url, 'must not be empty')];
  if (!url.startsWith('/')) return [invalid(field, url, 'must start with slash')];
  if (url.includes(' ')) return [invalid(field, url, 'must not contain white-space')];
  if (url.includes('//')) return [invalid(field, url, 'must not contain double slash')];
  const wildcard = url.indexOf(ALL);
  return wildcard < 0 || (wildcard === url.lastIndexOf(ALL) && url.endsWith('/*'))
    ? []
    : [invalid(field, url, 'wildcard can only do suffix matching')];
}

/** Validates the conditions of a status: each has a type, and types are unique. */
export function validateStatus({ status }: FlowSchema | PriorityLevelConfiguration): FieldError[] {
  const conditions: readonly { type?: string }[] = status?.conditions ?? [];
  const repeated = findDuplicates(conditions, ({ type = '' }) => type);
  return conditions.flatMap(({ type = '' }, index) => {
    const field = `status.conditions[${index}].type`;
    return [
      ...(repeated.has(index) ? [duplicate(field, type)] : []),
      ...(type === '' ? [required(field, 'must not be empty')] : []),
    ];
  });
}
