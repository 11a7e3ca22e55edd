import { describe, expect, it } from 'vitest';
import { alwaysDeny } from '../../src/authorization/authorizers.ts';
import {
  checkBindingEscalation,
  checkRoleEscalation,
  type EscalationContext,
} from '../../src/authorization/escalation.ts';
import { createRbacAuthorizer } from '../../src/authorization/rbac.ts';
import { uncoveredRules } from '../../src/authorization/rule-coverage.ts';
import type { PolicyRule } from '../../src/model/generated/rbac-v1.ts';
import type { Authorizer } from '../../src/request/attributes.ts';
import { runNow } from '../../src/steps/run.ts';
import { user } from '../authentication/fixtures.ts';
import { TestRoles } from './fixtures.ts';

const pods = (...verbs: string[]): PolicyRule => ({ apiGroups: [''], resources: ['pods'], verbs });

describe('uncoveredRules', () => {
  it.each<[string, PolicyRule[], PolicyRule[], PolicyRule[]]>([
    ['two rules together', [pods('get'), pods('list')], [pods('get', 'list')], []],
    ['missing verbs are joined again', [], [pods('get', 'list')], [pods('get', 'list')]],
    [
      'any subresource of one name',
      [{ apiGroups: ['*'], resources: ['*/scale'], verbs: ['*'] }],
      [{ apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['get'] }],
      [],
    ],
    [
      'named objects do not cover all',
      [{ ...pods('get'), resourceNames: ['a'] }],
      [pods('get')],
      [pods('get')],
    ],
    ['all objects cover named ones', [pods('get')], [{ ...pods('get'), resourceNames: ['a', 'b'] }], []],
    [
      'a path below a prefix',
      [{ nonResourceURLs: ['/a/*'], verbs: ['get'] }],
      [{ nonResourceURLs: ['/a/b', '/a'], verbs: ['get'] }],
      [{ nonResourceURLs: ['/a'], verbs: ['get'] }],
    ],
    [
      'only everything covers everything',
      [{ apiGroups: ['*'], resources: ['pods'], verbs: ['*'] }],
      [{ apiGroups: ['*'], resources: ['*'], verbs: ['get'] }],
      [{ apiGroups: ['*'], resources: ['*'], verbs: ['get'] }],
    ],
  ])('%s', (_title, owned, wanted, missing) =>
    expect(runNow(uncoveredRules(owned, wanted))).toEqual(missing),
  );

  it('pauses when many rules are compared with many', () => {
    const rules = Array.from({ length: 1000 }, (_, index) => ({
      apiGroups: [''],
      resources: [`r${index}`],
      verbs: ['get'],
    }));
    const steps = uncoveredRules(rules, rules);
    let pauses = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) pauses += 1;
    expect(step.value).toEqual([]);
    expect(pauses).toBeGreaterThan(10);
  });

  it('rejects too many combinations', () => {
    const many = Array.from({ length: 400 }, (_, number) => `r${number}`);
    expect(() => runNow(uncoveredRules([], [{ apiGroups: many, resources: many, verbs: ['get'] }]))).toThrow(
      RangeError,
    );
  });
});

describe('escalation', () => {
  const roles = new TestRoles()
    .setRole('n', 'held', [pods('get')])
    .bind('n', 'b', 'Role/held', { kind: 'User', name: 'u' })
    .setRole('n', 'more', [pods('delete')]);
  const resolver = createRbacAuthorizer(roles);
  const context = (authorizer: Authorizer = alwaysDeny, who = user('u', ['g'])): EscalationContext => ({
    user: who,
    namespace: 'n',
    authorizer,
    resolver,
    roles,
  });
  const mayOnly = (verb: string): Authorizer => ({
    name: 'x',
    authorize: (requested) => ({ decision: requested.verb === verb ? 'allow' : 'no-opinion', reason: '' }),
  });
  const role = (...rules: PolicyRule[]) => ({ metadata: { name: 'new' }, rules });
  const binding = (name: string) => ({ metadata: { name: 'bound' }, roleRef: { kind: 'Role', name } });

  it('is denied with the missing rules', async () => {
    await expect(checkRoleEscalation(role(pods('get', 'list')), 'Role', context())).rejects.toMatchObject({
      code: 403,
      message:
        'roles.rbac.authorization.k8s.io "new" is forbidden: user "u" (groups=["g"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["list"]}',
    });
    await expect(checkBindingEscalation(binding('more'), 'RoleBinding', context())).rejects.toMatchObject({
      code: 403,
      details: { kind: 'rolebindings', name: 'bound' },
    });
    await expect(
      checkRoleEscalation(
        { ...role(), aggregationRule: { clusterRoleSelectors: [{}] } },
        'ClusterRole',
        context(),
      ),
    ).rejects.toMatchObject({
      code: 403,
    });
  });

  it('is allowed for held rules, with the escalation verb, and for system:masters', async () => {
    await checkRoleEscalation(role(pods('get')), 'Role', context());
    await checkRoleEscalation(role(pods('*')), 'Role', context(mayOnly('escalate')));
    await checkRoleEscalation(role(pods('*')), 'Role', context(alwaysDeny, user('root', ['system:masters'])));
    await checkBindingEscalation(binding('held'), 'RoleBinding', context());
    await checkBindingEscalation(binding('absent'), 'RoleBinding', context(mayOnly('bind')));
  });

  it('returns 404 for an absent role', async () => {
    await expect(checkBindingEscalation(binding('absent'), 'RoleBinding', context())).rejects.toMatchObject({
      code: 404,
      message: 'rolebindings.rbac.authorization.k8s.io "absent" not found',
    });
  });
});
