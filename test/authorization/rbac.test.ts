import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forbiddenError } from '../../src/authorization/forbidden.ts';
import { createRbacAuthorizer } from '../../src/authorization/rbac.ts';
import type { PolicyRule } from '../../src/model/generated/rbac-v1.ts';
import type { Attributes } from '../../src/request/attributes.ts';
import { user } from '../authentication/fixtures.ts';
import { attributes, TestRoles } from './fixtures.ts';

const rule = (
  apiGroups: string[],
  resources: string[],
  verbs: string[],
  resourceNames: string[] = [],
): PolicyRule => ({
  apiGroups,
  resources,
  verbs,
  resourceNames,
});

function decide(rules: PolicyRule[], request: Partial<Attributes>): string {
  const roles = new TestRoles()
    .setRole('', 'r', rules)
    .bind('', 'b', 'ClusterRole/r', { kind: 'User', name: 'u' });
  return createRbacAuthorizer(roles).authorize(attributes({ user: user('u'), ...request })).decision;
}

describe('rules', () => {
  it.each<[PolicyRule, Partial<Attributes>, boolean]>([
    [rule([''], ['pods'], ['get']), {}, true],
    [rule([''], ['pods'], ['get']), { subresource: 'log' }, false],
    [rule([''], ['pods/log'], ['get']), { subresource: 'log' }, true],
    [
      rule(['apps'], ['*/scale'], ['get']),
      { group: 'apps', resource: 'deployments', subresource: 'scale' },
      true,
    ],
    [
      rule(['apps'], ['*/scale'], ['get']),
      { group: 'apps', resource: 'deployments', subresource: '' },
      false,
    ],
    [
      rule(['apps'], ['*/scale'], ['get']),
      { group: 'apps', resource: 'deployments', subresource: 'status' },
      false,
    ],
    [rule(['*'], ['*'], ['*']), { group: 'x', resource: 'y', subresource: 'z', verb: 'w' }, true],
    [rule([''], ['secrets'], ['get'], ['one']), { resource: 'secrets', name: 'one' }, true],
    [rule([''], ['secrets'], ['get'], ['one']), { resource: 'secrets', name: 'two' }, false],
    [rule([''], ['secrets'], ['create'], ['one']), { resource: 'secrets', verb: 'create' }, false],
    [{ nonResourceURLs: ['/tree/*'], verbs: ['get'] }, { isResource: false, path: '/tree' }, false],
    [{ nonResourceURLs: ['/tree/*'], verbs: ['get'] }, { isResource: false, path: '/tree/' }, true],
    [{ nonResourceURLs: ['/tree/*'], verbs: ['get'] }, { isResource: false, path: '/tree/a/b' }, true],
    [{ nonResourceURLs: ['/made-up'], verbs: ['get'] }, { isResource: false, path: '/made-up/x' }, false],
    [{ nonResourceURLs: ['*'], verbs: ['get'] }, { isResource: false, path: '/any' }, true],
    [{ nonResourceURLs: ['*'], verbs: ['*'] }, {}, false],
  ])('%j on %j: %s', (one, request, allowed) =>
    expect(decide([one], request)).toBe(allowed ? 'allow' : 'no-opinion'),
  );
});

describe('bindings', () => {
  it('apply in their scope, for users, groups and service accounts', () => {
    const roles = new TestRoles()
      .setRole('', 'wide', [rule([''], ['pods'], ['get'])])
      .setRole('n', 'narrow', [rule([''], ['secrets'], ['get'])])
      .bind('n', 'here', 'ClusterRole/wide', { kind: 'Group', name: 'g' })
      .bind(
        'n',
        'own',
        'Role/narrow',
        { kind: 'ServiceAccount', name: 's' },
        { kind: 'ServiceAccount', name: 's', namespace: 'm' },
      );
    const rbac = createRbacAuthorizer(roles);
    const member = user('u', ['g']);
    expect(rbac.authorize(attributes({ user: member, namespace: 'n' }))).toEqual({
      decision: 'allow',
      reason: 'RBAC: allowed by RoleBinding "here/n" of ClusterRole "wide" to Group "g"',
    });
    expect(rbac.authorize(attributes({ user: member })).decision).toBe('no-opinion');
    expect(rbac.authorize(attributes({ user: member, namespace: 'm' })).decision).toBe('no-opinion');
    expect(
      rbac.authorize(
        attributes({ user: user('system:serviceaccount:n:s'), namespace: 'n', resource: 'secrets' }),
      ).reason,
    ).toBe('RBAC: allowed by RoleBinding "own/n" of Role "narrow" to ServiceAccount "s/n"');
    expect(
      rbac.authorize(
        attributes({ user: user('system:serviceaccount:m:s'), namespace: 'n', resource: 'secrets' }),
      ).reason,
    ).toContain('ServiceAccount "s/m"');
  });

  it('follow changes and report a missing role in the denial', () => {
    const roles = new TestRoles()
      .setRole('', 'r', [rule([''], ['pods'], ['list'])])
      .bind('', 'b', 'ClusterRole/r', { kind: 'User', name: 'sam' });
    const rbac = createRbacAuthorizer(roles);
    const request = attributes({ user: user('sam'), verb: 'list', resource: 'persistentvolumes' });
    expect(rbac.authorize(request)).toEqual({ decision: 'no-opinion', reason: '' });
    roles.setRole('', 'r', [rule([''], ['persistentvolumes'], ['list'])]);
    expect(rbac.authorize(request)).toMatchObject({
      decision: 'allow',
      reason: 'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "r" to User "sam"',
    });
    roles.setRole('', 'r', undefined);
    const { reason } = rbac.authorize(request);
    expect(forbiddenError(request, reason).message).toBe(
      'persistentvolumes is forbidden: User "sam" cannot list resource "persistentvolumes" in API group "" at the cluster scope: RBAC: clusterrole.rbac.authorization.k8s.io "r" not found',
    );
    expect(rbac.rulesFor(user('sam'), 'n')).toEqual({
      resourceRules: [],
      nonResourceRules: [],
      incomplete: false,
      evaluationError: 'clusterrole.rbac.authorization.k8s.io "r" not found',
    });
  });
});

/** Naive evaluation without an index. */
function naive(
  rules: readonly { rule: PolicyRule; namespace: string; subject: string }[],
  { user: { name, groups }, verb, group, resource, subresource, namespace, name: object }: Attributes,
): boolean {
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  const within = (values: readonly string[] = [], ...wanted: string[]) =>
    values.some((value) => value === '*' || wanted.includes(value));
  return rules.some(
    ({ rule: { verbs, apiGroups, resources, resourceNames = [] }, namespace: scope, subject }) => {
      const bound = subject === `User/${name}` || groups.some((one) => subject === `Group/${one}`);
      const wanted = subresource === '' ? [full] : [full, `*/${subresource}`];
      return (
        bound &&
        (scope === '' || scope === namespace) &&
        within(verbs, verb) &&
        within(apiGroups, group) &&
        within(resources, ...wanted) &&
        (resourceNames.length === 0 || resourceNames.includes(object))
      );
    },
  );
}

describe('BindingIndex', () => {
  it('agrees with a naive evaluation', () => {
    const some = (...values: string[]) => fc.subarray(values, { minLength: 1 });
    const grants = fc.array(
      fc.record({
        rule: fc.record({
          verbs: some('get', 'list', '*'),
          apiGroups: some('', 'apps', '*'),
          resources: some('pods', 'pods/log', '*/scale', '*'),
          resourceNames: fc.subarray(['a', 'b']),
        }),
        namespace: fc.constantFrom('', 'n', 'm'),
        subject: fc.constantFrom('User/u', 'User/v', 'Group/g', 'Group/u'),
      }),
      { maxLength: 6 },
    );
    const request = fc.record({
      user: fc.record({ name: fc.constantFrom('u', 'v', 'g'), groups: fc.subarray(['g', 'u', 'h']) }),
      verb: fc.constantFrom('get', 'list', 'watch'),
      group: fc.constantFrom('', 'apps', 'batch'),
      resource: fc.constantFrom('pods', 'jobs'),
      subresource: fc.constantFrom('', 'log', 'scale'),
      namespace: fc.constantFrom('', 'n', 'm'),
      name: fc.constantFrom('', 'a', 'c'),
    });
    fc.assert(
      fc.property(grants, fc.array(request, { minLength: 1, maxLength: 8 }), (granted, requests) => {
        const roles = new TestRoles();
        for (const [position, { rule: one, namespace, subject }] of granted.entries()) {
          const [kind, name] = subject.split('/');
          roles
            .setRole(namespace, `r${position}`, [one])
            .bind(namespace, `b${position}`, `${namespace === '' ? 'ClusterRole' : 'Role'}/r${position}`, {
              kind,
              name,
            });
        }
        const rbac = createRbacAuthorizer(roles);
        for (const {
          user: { name, groups },
          ...rest
        } of requests) {
          const wanted = attributes({ ...rest, user: user(name, groups) });
          expect(rbac.authorize(wanted).decision === 'allow').toBe(naive(granted, wanted));
        }
      }),
    );
  });
});
