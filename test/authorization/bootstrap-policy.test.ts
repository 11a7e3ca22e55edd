import { describe, expect, it } from 'vitest';
import { createRbacAuthorizer } from '../../src/authorization/rbac.ts';
import type { RoleSource } from '../../src/authorization/role-source.ts';
import {
  bootstrapClusterRoleBindings,
  bootstrapClusterRoles,
  bootstrapRoleBindings,
  bootstrapRoles,
} from '../../src/bootstrap/index.ts';
import type { Role, RoleBinding } from '../../src/model/generated/rbac-v1.ts';
import type { Attributes } from '../../src/request/attributes.ts';
import { user } from '../authentication/fixtures.ts';
import { RULES } from '../support/rule-context.ts';
import { attributes } from './fixtures.ts';

const clusterRoles = new Map(
  bootstrapClusterRoles(RULES).map((role) => [role.metadata!.name!, role as Role]),
);
const roles = new Map(
  bootstrapRoles(RULES).map((role) => [`${role.metadata!.namespace}/${role.metadata!.name}`, role as Role]),
);
const source: RoleSource = {
  clusterGeneration: 1,
  namespacedGeneration: 1,
  clusterRole: (name) => clusterRoles.get(name),
  role: (namespace, name) => roles.get(`${namespace}/${name}`),
  clusterRoleBindings: () => bootstrapClusterRoleBindings(RULES) as RoleBinding[],
  roleBindings: (namespace) =>
    bootstrapRoleBindings().filter(({ metadata }) => metadata?.namespace === namespace) as RoleBinding[],
};
const rbac = createRbacAuthorizer(source);
const anonymous = user('system:anonymous', ['system:unauthenticated']);
const alice = user('alice', ['system:authenticated']);

describe('the bootstrap policy', () => {
  it.each<[string, boolean, Partial<Attributes>]>([
    ['anyone read the version', true, { user: anonymous, isResource: false, path: '/version' }],
    ['not anyone read the API index', false, { user: anonymous, isResource: false, path: '/api' }],
    ['users read the API index', true, { user: alice, isResource: false, path: '/apis/apps/v1' }],
    [
      'users ask what they may do',
      true,
      { user: alice, verb: 'create', group: 'authorization.k8s.io', resource: 'selfsubjectaccessreviews' },
    ],
    ['not users read pods', false, { user: alice, namespace: 'default' }],
    [
      'masters do everything',
      true,
      { user: user('root', ['system:masters']), verb: 'delete', resource: 'nodes' },
    ],
    [
      'the scheduler bind pods',
      true,
      { user: user('system:kube-scheduler'), verb: 'create', subresource: 'binding', namespace: 'n' },
    ],
    [
      'the garbage collector delete anything',
      true,
      {
        user: user('system:serviceaccount:kube-system:generic-garbage-collector'),
        verb: 'delete',
        group: 'a.b',
        resource: 'c',
      },
    ],
    [
      'the signer read secrets in its namespace',
      true,
      {
        user: user('system:serviceaccount:kube-system:bootstrap-signer'),
        verb: 'list',
        resource: 'secrets',
        namespace: 'kube-system',
      },
    ],
    [
      'not the signer read them elsewhere',
      false,
      {
        user: user('system:serviceaccount:kube-system:bootstrap-signer'),
        verb: 'list',
        resource: 'secrets',
        namespace: 'default',
      },
    ],
    [
      'not nodes do anything by role alone',
      false,
      { user: user('system:node:x', ['system:nodes']), resource: 'nodes' },
    ],
  ])('%s: %s', (_title, allowed, requested) =>
    expect(rbac.authorize(attributes(requested)).decision === 'allow').toBe(allowed),
  );

  it('grants these rules to every user', () => {
    const { resourceRules, nonResourceRules } = rbac.rulesFor(alice, 'default');
    const sorted = (list: readonly object[]) =>
      JSON.parse(JSON.stringify(list)).sort((a: object, b: object) =>
        JSON.stringify(a) < JSON.stringify(b) ? -1 : 1,
      );
    expect(sorted(resourceRules)).toEqual([
      { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
      {
        verbs: ['create'],
        apiGroups: ['authorization.k8s.io'],
        resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
      },
    ]);
    expect(sorted(nonResourceRules)).toEqual([
      {
        verbs: ['get'],
        nonResourceURLs: [
          '/api',
          '/api/*',
          '/apis',
          '/apis/*',
          '/healthz',
          '/livez',
          '/openapi',
          '/openapi/*',
          '/readyz',
          '/version',
          '/version/',
        ],
      },
      { verbs: ['get'], nonResourceURLs: ['/healthz', '/livez', '/readyz', '/version', '/version/'] },
    ]);
  });
});
