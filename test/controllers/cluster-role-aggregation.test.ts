import { expect, it } from 'vitest';
import { clusterRoleAggregationController } from '../../src/controllers/cluster-role-aggregation.ts';
import type { KubernetesObject } from '../../src/model/object.ts';
import { createLogger } from '../../src/observability/log.ts';
import type { NamedContext } from '../../src/reconcile/controller.ts';
import { FakeSource } from '../reconcile/fake-source.ts';
import { ManualClock } from '../reconcile/manual-clock.ts';

/** The controller with given objects, recording its applies. */
function controller() {
  const roles = new FakeSource();
  const applied: KubernetesObject[] = [];
  const parts = {
    name: 'clusterrole-aggregation-controller',
    client: () => ({
      apply: async (_resource: unknown, object: KubernetesObject) => void applied.push(object),
    }),
    objects: () => roles,
    clock: new ManualClock(),
    logger: createLogger({ format: 'text', verbosity: 0, write: () => undefined }),
  } as unknown as NamedContext;
  const { queue } = clusterRoleAggregationController(parts);
  const set = (name: string, labels: Record<string, string>, more: object = {}) =>
    roles.set(name, { metadata: { name, labels }, ...more });
  return { queue, applied, set };
}

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};
const rule = (resource: string) => ({ apiGroups: [''], resources: [resource], verbs: ['get'] });

it('reconciles only the roles that a change affects', async () => {
  const { queue, applied, set } = controller();
  queue.start();
  set(
    'sum',
    {},
    {
      aggregationRule: {
        clusterRoleSelectors: [
          { matchLabels: { part: 'yes' } },
          { matchExpressions: [{ key: 'more', operator: 'In', values: ['x'] }] },
        ],
      },
    },
  );
  set('b', { part: 'yes' }, { rules: [rule('b'), rule('a')] });
  set('a', { part: 'yes' }, { rules: [rule('a')] });
  set('c', { more: 'x' }, { rules: [rule('c')] });
  await turns(20);
  expect(applied.at(-1)).toMatchObject({
    metadata: { name: 'sum' },
    rules: [rule('a'), rule('b'), rule('c')],
  });
  const before = applied.length;
  for (let index = 0; index < 5000; index++) set(`other-${index}`, { part: 'no' }, { rules: [rule('x')] });
  await turns(50);
  expect(applied.length).toBe(before);
  set('b', {}, { rules: [rule('b')] });
  await turns(20);
  expect(applied.at(-1)).toMatchObject({ rules: [rule('a'), rule('c')] });
  await queue.stop();
});
