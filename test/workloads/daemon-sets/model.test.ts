import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isReady } from '../../../src/reconcile/pods/pod-state.ts';
import { place, rolling, template } from './objects.ts';
import { DaemonWorld, nodeOf } from './world.ts';

const NODES = ['a', 'b', 'c', 'd', 'e'];
const node = fc.constantFrom(...NODES);
const count = fc.constantFrom<number | string>(0, 1, 2, '50%', '100%');
/** Validation permits one of both only. */
const bounds = fc.oneof(
  count.filter((value) => value !== 0).map((value) => rolling(value, 0)),
  count.filter((value) => value !== 0).map((value) => rolling(0, value)),
);

const step = fc.oneof(
  {
    weight: 6,
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
  { weight: 1, arbitrary: fc.record({ does: fc.constant('pass' as const), index: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('image' as const), index: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('bounds' as const), spec: bounds }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('node' as const),
      name: node,
      effect: fc.constantFrom('', '', 'NoSchedule', 'NoExecute', 'remove'),
    }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function happen(world: DaemonWorld, one: Step): void {
  if (one.does === 'image') world.edit({ template: template(`v${one.index}`) });
  else if (one.does === 'bounds') world.edit(one.spec);
  else if (one.does === 'pass') world.now += one.index * 1000;
  else if (one.does === 'node')
    if (one.effect === 'remove') world.nodes.delete(one.name);
    else {
      const taints = one.effect === '' ? [] : [{ key: 'k', effect: one.effect }];
      world.nodes.set(one.name, place(one.name, taints));
    }
  else world[one.does](one.index);
}

it('keeps the bounds of updates at every step, and comes to rest with one present Pod on each node', () =>
  fc.assert(
    fc.property(
      bounds,
      fc.constantFrom(0, 0, 10),
      fc.array(step, { maxLength: 60 }),
      (spec, minReadySeconds, steps) => {
        const world = new DaemonWorld({ ...spec, minReadySeconds, template: template('v0') });
        for (const name of NODES.slice(0, 3)) world.nodes.set(name, place(name));
        world.settle();
        for (const one of steps) {
          happen(world, one);
          for (let round = 0; world.reconcile(); round += 1)
            if (round > 50) throw new Error('it does not come to rest');
          expect(world.broken).toEqual([]);
        }
        for (const name of world.nodes.keys()) world.nodes.set(name, place(name));
        world.settle();
        expect(world.broken).toEqual([]);
        const pods = [...world.pods.values()];
        expect(pods.map(nodeOf).sort()).toEqual([...world.nodes.keys()].sort());
        expect(pods.every(isReady)).toBe(true);
        const { isUpdated } = world.observe();
        expect(pods.every(isUpdated)).toBe(true);
        const nodes = world.nodes.size;
        expect(world.set.status).toMatchObject({
          currentNumberScheduled: nodes,
          desiredNumberScheduled: nodes,
          numberReady: nodes,
          numberMisscheduled: 0,
          ...(nodes > 0 && { numberAvailable: nodes, updatedNumberScheduled: nodes }),
        });
      },
    ),
    { numRuns: 300 },
  ));
