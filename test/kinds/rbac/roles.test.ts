import { describe, expect, it } from 'vitest';
import { strategiesOf } from '../../support/builtin-resources.ts';
import { created, defaulted, errorsOf, updated } from '../run-strategy.ts';

const strategies = strategiesOf('rbac.authorization.k8s.io');

const GROUP = 'rbac.authorization.k8s.io';

describe('roles', () => {
  it.each([
    [{ verbs: [] }, ['verbs: Required value: verbs must contain at least one value']],
    [{ apiGroups: [] }, ['apiGroups: Required value: resource rules must supply at least one api group']],
    [{ resources: [] }, ['resources: Required value: resource rules must supply at least one resource']],
  ])('validates the rule %j', (change, expected) => {
    const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'], ...change }];
    for (const resource of ['roles', 'clusterroles'])
      expect(errorsOf(strategies[resource]!, { rules })).toEqual(expected.map((text) => `rules[0].${text}`));
  });

  it('rejects rules with resources and URLs, and namespaced rules with URLs', () => {
    const paths = { nonResourceURLs: ['/x'], verbs: ['get'] };
    const message = 'rules[0].nonResourceURLs: Invalid value: []string{"/x"}: ';
    expect(errorsOf(strategies['clusterroles']!, { rules: [paths] })).toEqual([]);
    expect(errorsOf(strategies['clusterroles']!, { rules: [{ ...paths, resources: ['pods'] }] })).toEqual([
      `${message}rules cannot apply to both regular resources and non-resource URLs`,
    ]);
    expect(errorsOf(strategies['roles']!, { rules: [paths] })).toEqual([
      `${message}namespaced rules cannot apply to non-resource URLs`,
    ]);
  });

  it('requires selectors of an aggregation rule', () => {
    const field = 'aggregationRule.clusterRoleSelectors';
    expect(errorsOf(strategies['clusterroles']!, { aggregationRule: {} })).toEqual([
      `${field}: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil`,
    ]);
    const selector = { matchExpressions: [{ key: 'a', operator: 'X' }] };
    expect(
      errorsOf(strategies['clusterroles']!, { aggregationRule: { clusterRoleSelectors: [selector] } }),
    ).toEqual([
      `${field}[0].matchExpressions[0].operator: Invalid value: "X": not a valid selector operator`,
      `${field}[0]: Invalid value: "null": invalid label selector.`,
    ]);
  });
});

describe('role bindings', () => {
  const strategy = strategies['rolebindings']!;
  const roleRef = { kind: 'ClusterRole', name: 'view' };
  const account = { kind: 'ServiceAccount', name: 's' };

  it('defaults the API group of users and groups, not of service accounts', () => {
    const { subjects, roleRef: reference } = defaulted(strategy, {
      roleRef,
      subjects: [{ kind: 'User', name: 'u' }, { kind: 'Group', name: 'g' }, account],
    });
    expect(reference).toEqual({ apiGroup: GROUP, ...roleRef });
    expect((subjects as { apiGroup?: string }[]).map(({ apiGroup }) => apiGroup)).toEqual([
      GROUP,
      GROUP,
      undefined,
    ]);
  });

  it('requires the namespace of service accounts in cluster role bindings', () => {
    expect(errorsOf(strategy, { roleRef, subjects: [account] })).toEqual([]);
    expect(errorsOf(strategies['clusterrolebindings']!, { roleRef, subjects: [account] })).toEqual([
      'subjects[0].namespace: Required value',
    ]);
  });

  it('rejects references to roles of the wrong scope', () => {
    const toRole = { roleRef: { kind: 'Role', name: 'x' } };
    expect(errorsOf(strategy, toRole)).toEqual([]);
    expect(errorsOf(strategies['clusterrolebindings']!, toRole)).toEqual([
      'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
    ]);
  });

  it('rejects a changed role reference', () => {
    const { object } = created(strategy, { roleRef });
    expect(updated(strategy, { roleRef, subjects: [] }, object).errors).toEqual([]);
    expect(updated(strategy, { roleRef: { ...roleRef, name: 'edit' } }, object).errors).toEqual([
      `roleRef: Invalid value: rbac.RoleRef{APIGroup:"${GROUP}", Kind:"ClusterRole", Name:"edit"}: cannot change roleRef`,
    ]);
  });
});
