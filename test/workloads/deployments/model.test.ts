import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DeploymentSpec } from '../../../src/model/generated/apps-v1.ts';
import { active, wanted } from '../../../src/workloads/deployments/replica-sets.ts';
import { isSameTemplate } from '../../../src/workloads/deployments/template-hash.ts';
import { template } from './objects.ts';
import { World } from './world.ts';

const count = fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constantFrom('0%', '25%', '50%', '100%'));

const strategy = fc
  .record({ maxSurge: count, maxUnavailable: count })
  .filter(({ maxSurge, maxUnavailable }) => !isZero(maxSurge) || !isZero(maxUnavailable))
  .map((rollingUpdate) => ({ type: 'RollingUpdate', rollingUpdate }));

const isZero = (value: number | string): boolean => value === 0 || value === '0%';

/** What happens, one after the other; the numbers choose Pods and ReplicaSets. */
const happening = fc.oneof(
  { weight: 6, arbitrary: fc.record({ is: fc.constant('ready' as const), index: fc.nat(20) }) },
  {
    weight: 2,
    arbitrary: fc.record({ is: fc.constantFrom('unready' as const, 'fail' as const), index: fc.nat(20) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ is: fc.constant('pass' as const), index: fc.integer({ min: 1, max: 700 }) }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('image' as const), index: fc.nat(3) }) },
);

const scenario = fc.record({
  replicas: fc.integer({ min: 0, max: 12 }),
  strategy,
  minReadySeconds: fc.constantFrom(0, 0, 10),
  happenings: fc.array(happening, { maxLength: 60 }),
});

/** The controllers see everything that happens before the next thing does. */
function reconcile(world: World): void {
  for (let round = 0; round < 200; round += 1) {
    const sets = [...world.sets.keys()].map((name) => world.replicate(name));
    if (!world.decide() && !sets.some(Boolean)) return;
  }
  throw new Error('the controllers do not come to rest');
}

function happen(world: World, { is, index }: { is: string; index: number }): void {
  if (is === 'ready') world.ready(index);
  if (is === 'unready') world.unready(index);
  if (is === 'fail') world.fail(index);
  if (is === 'pass') world.now += index * 1000;
  if (is === 'image') world.edit({ template: template(`v${index}`) });
}

it('keeps the bounds on surge and on available Pods at every step of a rollout, and completes it', () =>
  fc.assert(
    fc.property(scenario, ({ happenings, ...spec }) => {
      const world = new World({ ...spec, template: template('v0') });
      reconcile(world);
      for (const one of happenings) {
        happen(world, one);
        reconcile(world);
        expect(world.broken).toEqual([]);
      }
      world.settle();
      expect(world.broken).toEqual([]);
      expectComplete(world);
    }),
    { numRuns: 300 },
  ));

const edit: fc.Arbitrary<DeploymentSpec> = fc.oneof(
  fc.record({ replicas: fc.integer({ min: 0, max: 12 }) }),
  fc.record({ paused: fc.boolean() }),
  fc.record({ strategy: fc.oneof(strategy, fc.constant({ type: 'Recreate' })) }),
  fc.record({ template: fc.nat(3).map((image) => template(`v${image}`)) }),
  fc.record({ revisionHistoryLimit: fc.nat(2) }),
);

it('comes to rest after any edits and failures, in any order of reconciles', () =>
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          edit.map((spec) => ({ does: 'edit' as const, spec })),
          happening.map((one) => ({ does: 'happen' as const, one })),
          fc.constant({ does: 'decide' as const }),
          fc.nat(5).map((index) => ({ does: 'replicate' as const, index })),
        ),
        { maxLength: 80 },
      ),
      (steps) => {
        const world = new World({ template: template('v0') });
        for (const step of steps) {
          if (step.does === 'edit') world.edit(step.spec);
          if (step.does === 'happen') happen(world, step.one);
          if (step.does === 'decide') world.decide();
          if (step.does === 'replicate') {
            const names = [...world.sets.keys()];
            if (names.length > 0) world.replicate(names[step.index % names.length]!);
          }
        }
        world.edit({ paused: false });
        world.settle();
        expectComplete(world);
      },
    ),
    { numRuns: 300 },
  ));

function expectComplete(world: World): void {
  const { deployment } = world;
  const replicas = wanted(deployment);
  const sets = [...world.sets.values()];
  expect(world.active.length).toBe(replicas);
  expect(active(sets).every(({ spec }) => isSameTemplate(spec?.template, deployment.spec?.template))).toBe(
    true,
  );
  const {
    observedGeneration,
    replicas: actual = 0,
    updatedReplicas = 0,
    availableReplicas = 0,
  } = deployment.status!;
  expect([observedGeneration, actual, updatedReplicas, availableReplicas]).toEqual([
    deployment.metadata!.generation,
    replicas,
    replicas,
    replicas,
  ]);
  expect(deployment.status!.unavailableReplicas).toBeUndefined();
  const limit = deployment.spec!.revisionHistoryLimit!;
  expect(sets.length).toBeLessThanOrEqual(limit + 1);
}
