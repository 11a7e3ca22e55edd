import { expect, it } from 'vitest';
import { createRbacAuthorizer } from '../../src/authorization/rbac.ts';
import type { Attributes } from '../../src/request/attributes.ts';
import { user } from '../authentication/fixtures.ts';
import { processorTime } from '../support/processor-time.ts';
import { attributes, TestRoles } from './fixtures.ts';

const ROLES = 200;
const BINDINGS = 10_000;
const DECISIONS = 50_000;

it('a decision among 200 roles and 10,000 bindings takes less than 15 µs', () => {
  const roles = new TestRoles();
  for (let index = 0; index < ROLES; index++)
    roles.setRole('', `role-${index}`, [
      { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: [`kind-${index}`, 'pods/log'] },
      { verbs: ['*'], apiGroups: ['apps'], resources: ['deployments'], resourceNames: [`name-${index}`] },
    ]);
  for (let index = 0; index < BINDINGS; index++) {
    const namespace = index % 2 === 0 ? '' : `ns-${index % 100}`;
    roles.bind(
      namespace,
      `binding-${index}`,
      `ClusterRole/role-${index % ROLES}`,
      { kind: 'User', name: `user-${index % 5000}` },
      { kind: 'Group', name: `group-${index % 500}` },
    );
  }
  const authorizer = createRbacAuthorizer(roles);
  const requests: Attributes[] = Array.from({ length: 100 }, (_, index) =>
    attributes({
      user: user(`user-${index * 7}`, [`group-${index}`, 'system:authenticated']),
      namespace: `ns-${index % 100}`,
      resource: index % 2 === 0 ? `kind-${(index * 7) % ROLES}` : 'secrets',
    }),
  );
  // The index is made once, when it is first asked.
  for (const request of requests) authorizer.authorize(request);
  const decisions = new Set<string>();
  const milliseconds = processorTime(() => {
    for (let index = 0; index < DECISIONS; index++) decisions.add(authorizer.authorize(requests[index % requests.length]!).decision);
  });
  expect(decisions).toEqual(new Set(['allow', 'no-opinion']));
  expect((milliseconds / DECISIONS) * 1000).toBeLessThan(15);
});
