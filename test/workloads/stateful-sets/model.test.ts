import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { StatefulSetSpec } from '../../../src/model/generated/apps-v1.ts';
import {
  isHealthy,
  ordinalOf,
  revisionOf,
  wantsOrdinal,
} from '../../../src/workloads/stateful-sets/identity.ts';
import { template } from './objects.ts';
import { SetWorld } from './world.ts';

const rolling = (partition: number): StatefulSetSpec => ({
  updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition } },
});

const edit: fc.Arbitrary<StatefulSetSpec> = fc.oneof(
  fc.record({ replicas: fc.integer({ min: 0, max: 6 }) }),
  fc.record({ template: fc.nat(3).map((image) => template(`v${image}`)) }),
  fc.record({ ordinals: fc.record({ start: fc.nat(3) }) }),
  fc.record({ minReadySeconds: fc.constantFrom(0, 10) }),
  fc.nat(4).map(rolling),
);

/** What happens, one after the other; the numbers choose Pods. */
const step = fc.oneof(
  { weight: 2, arbitrary: edit.map((spec) => ({ does: 'edit' as const, spec })) },
  {
    weight: 8,
    arbitrary: fc.record({
      does: fc.constantFrom(
        'ready' as const,
        'ready' as const,
        'gone' as const,
        'unready' as const,
        'fail' as const,
      ),
      index: fc.nat(10),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('pass' as const), index: fc.nat(20) }) },
);

const policies = fc.constantFrom('OrderedReady', 'Parallel');

it('creates, replaces and removes Pods in order at every step, and comes to rest as the set wants it', () =>
  fc.assert(
    fc.property(policies, fc.array(step, { maxLength: 60 }), (podManagementPolicy, steps) => {
      const world = new SetWorld({ podManagementPolicy, template: template('v0'), minReadySeconds: 0 });
      world.settle();
      for (const one of steps) {
        if (one.does === 'edit') world.edit(one.spec);
        else if (one.does === 'pass') world.now += one.index * 1000;
        else world[one.does](one.index);
        for (let round = 0; world.reconcile(); round += 1)
          if (round > 50) throw new Error('it does not come to rest');
        expect(world.broken).toEqual([]);
      }
      world.edit(rolling(0));
      world.settle();
      expect(world.broken).toEqual([]);
      const pods = [...world.pods.values()];
      expect(pods.length).toBe(world.replicas);
      expect(pods.every((pod) => isHealthy(pod) && wantsOrdinal(world.set, ordinalOf(pod)))).toBe(true);
      expect(pods.every((pod) => revisionOf(pod) === world.update)).toBe(true);
      const { replicas } = world;
      expect(world.set.status).toMatchObject({
        observedGeneration: world.set.metadata!.generation,
        replicas,
        availableReplicas: replicas,
        currentRevision: world.update,
        updateRevision: world.update,
        ...(replicas > 0 && {
          readyReplicas: replicas,
          updatedReplicas: replicas,
          currentReplicas: replicas,
        }),
      });
    }),
    { numRuns: 300 },
  ));
