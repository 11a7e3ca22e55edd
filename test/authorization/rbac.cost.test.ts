import { expect, it } from 'vitest';
import { createRbacAuthorizer } from '../../src/authorization/rbac.ts';
import type { Attributes } from '../../src/request/attributes.ts';
import { user } from '../authentication/fixtures.ts';
import { leastRatio, processorTime } from '../support/processor-time.ts';
import { attributes, TestRoles } from './fixtures.ts';

const ROLES = 200;
const DECISIONS = 20_000;

/**
 * An authorizer with two hundred roles and this many bindings; each user has two, each group at most twenty.
 */
function filled(bindings: number): ReturnType<typeof createRbacAuthorizer> {
  const roles = new TestRoles();
  for (let index = 0; index < ROLES; index++)
    roles.setRole('', `role-${index}`, [
      { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: [`kind-${index}`, 'pods/log'] },
      { verbs: ['*'], apiGroups: ['apps'], resources: ['deployments'], resourceNames: [`name-${index}`] },
    ]);
  for (let index = 0; index < bindings; index++) {
    const namespace = index % 2 === 0 ? '' : `ns-${index % 100}`;
    roles.bind(
      namespace,
      `binding-${index}`,
      `ClusterRole/role-${index % ROLES}`,
      { kind: 'User', name: `user-${index % (bindings / 2)}` },
      { kind: 'Group', name: `group-${index % (bindings / 20)}` },
    );
  }
  return createRbacAuthorizer(roles);
}

it('a decision takes no longer among 10,000 bindings than among 1,000', () => {
  const requests: Attributes[] = Array.from({ length: 100 }, (_, index) =>
    attributes({
      user: user(`user-${index * 4}`, [`group-${index % 50}`, 'system:authenticated']),
      namespace: `ns-${index % 100}`,
      resource: index % 2 === 0 ? `kind-${(index * 4) % ROLES}` : 'secrets',
    }),
  );
  const [few, many] = [filled(1000), filled(10_000)];
  const decide = (authorizer: typeof few) => () =>
    processorTime(() => {
      for (let index = 0; index < DECISIONS; index++)
        authorizer.authorize(requests[index % requests.length]!);
    });
  expect(new Set(requests.map((request) => many.authorize(request).decision))).toEqual(
    new Set(['allow', 'no-opinion']),
  );
  // A linear search would take ten times as long.
  expect(leastRatio(decide(many), decide(few), 4)).toBeLessThan(4);
});
