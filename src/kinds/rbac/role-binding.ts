import type { RoleBinding, RoleRef, Subject } from '../../model/generated/rbac-v1.ts';
import { nameIsPathSegment, nameIsSubdomain } from '../../model/name-syntax.ts';
import { type FieldError, invalidFormatted, required } from '../../status/field-error.ts';
import { defineResource } from '../builtin-resource.ts';
import type { Strategy } from '../strategy.ts';
import { AGE, ageOf, column, NAME, nameOf, table, wide } from '../tables/define.ts';
import { invalidTexts, validateOneOf } from '../validation/fields.ts';
import { formatGoStruct, formatGoText } from '../validation/format-struct.ts';
import { semanticEqual } from '../validation/semantic-equal.ts';
import { withEscalationCheck } from './escalation-check.ts';
import { validatedTwice } from './validate-twice.ts';

const GROUP = 'rbac.authorization.k8s.io';

/** Sets the API group of subjects: users and groups belong to RBAC, service accounts to the core group. */
function setDefaults(object: RoleBinding): void {
  object.roleRef ??= {};
  object.roleRef.apiGroup ||= GROUP;
  for (const subject of object.subjects ?? [])
    if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ||= GROUP;
}

function validateRoleRef({ apiGroup, kind, name = '' }: RoleRef, kinds: readonly string[]): FieldError[] {
  return [
    ...validateOneOf(apiGroup, [GROUP], 'roleRef.apiGroup'),
    ...validateOneOf(kind, kinds, 'roleRef.kind'),
    ...(name === ''
      ? [required('roleRef.name')]
      : invalidTexts('roleRef.name', name, nameIsPathSegment(name, false))),
  ];
}

/** Validates a subject. In a namespace, a service account without namespace is valid but matches no user. */
function validateSubject(
  { kind = '', name = '', namespace = '', apiGroup }: Subject,
  field: string,
  namespaced: boolean,
): FieldError[] {
  const errors: FieldError[] = name === '' ? [required(`${field}.name`)] : [];
  if (kind === 'User' || kind === 'Group')
    return [...errors, ...validateOneOf(apiGroup, [GROUP], `${field}.apiGroup`)];
  if (kind !== 'ServiceAccount')
    return [...errors, ...validateOneOf(kind, ['ServiceAccount', 'User', 'Group'], `${field}.kind`)];
  if (name !== '') errors.push(...invalidTexts(`${field}.name`, name, nameIsSubdomain(name, false)));
  errors.push(...validateOneOf(apiGroup, [''], `${field}.apiGroup`));
  if (!namespaced && namespace === '') errors.push(required(`${field}.namespace`));
  return errors;
}

const formatRoleRef = ({ apiGroup, kind, name }: RoleRef): string =>
  formatGoStruct('rbac.RoleRef', {
    APIGroup: formatGoText(apiGroup),
    Kind: formatGoText(kind),
    Name: formatGoText(name),
  });

function bindingStrategy(kinds: readonly string[], namespaced: boolean): Strategy {
  const validate = ({ roleRef = {}, subjects = [] }: RoleBinding): FieldError[] => [
    ...validateRoleRef(roleRef, kinds),
    ...subjects.flatMap((subject, index) => validateSubject(subject, `subjects[${index}]`, namespaced)),
  ];
  return {
    metadata: {
      validateName: nameIsPathSegment,
      checks: { update: ['whole', 'whole', 'change'] },
    },
    defaulting: { byVersion: { v1: setDefaults } },
    validate,
    validateUpdate: (object: RoleBinding, old: RoleBinding) => [
      ...validatedTwice(validate(object)),
      ...(semanticEqual(object.roleRef, old.roleRef)
        ? []
        : [invalidFormatted('roleRef', formatRoleRef(object.roleRef ?? {}), 'cannot change roleRef')]),
    ],
    createsOnUpdate: true,
  };
}

export const roleBindingStrategy = bindingStrategy(['Role', 'ClusterRole'], true);
export const clusterRoleBindingStrategy = bindingStrategy(['ClusterRole'], false);

const bindingTable = table<RoleBinding>(
  [
    NAME,
    column('Role', 'The role that is granted.'),
    AGE,
    wide('Users', 'Users that have the role.'),
    wide('Groups', 'Groups that have the role.'),
    wide('ServiceAccounts', 'Service accounts that have the role.'),
  ],
  (object) => {
    const { roleRef, subjects } = object;
    const of = (kind: string, show: (subject: Subject) => string) =>
      (subjects ?? [])
        .filter((subject) => subject.kind === kind)
        .map(show)
        .join(', ');
    return [
      nameOf(object),
      `${roleRef?.kind ?? ''}/${roleRef?.name ?? ''}`,
      ageOf(object),
      of('User', ({ name = '' }) => name),
      of('Group', ({ name = '' }) => name),
      of('ServiceAccount', ({ namespace = '', name = '' }) => `${namespace}/${name}`),
    ];
  },
);

export const clusterRoleBindings = defineResource({
  group: 'rbac.authorization.k8s.io',
  versions: ['v1'],
  resource: 'clusterrolebindings',
  kind: 'ClusterRoleBinding',
  scope: 'Cluster',
  strategy: withEscalationCheck('ClusterRoleBinding', clusterRoleBindingStrategy),
  table: bindingTable,
});

export const roleBindings = defineResource({
  group: 'rbac.authorization.k8s.io',
  versions: ['v1'],
  resource: 'rolebindings',
  kind: 'RoleBinding',
  strategy: withEscalationCheck('RoleBinding', roleBindingStrategy),
  table: bindingTable,
});
