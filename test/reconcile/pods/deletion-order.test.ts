import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { podsToDelete } from '../../../src/reconcile/pods/deletion-order.ts';
import { NOW, type PodOptions, pod } from './pods.ts';

/** The names of Pods in the order in which they are deleted. */
function order(pods: readonly (readonly [name: string, options: PodOptions])[], family = pods): string[] {
  const objects = pods.map(([name, options]) => pod(name, options));
  const relatives = family.map(([name, options]) => pod(name, options));
  const first = (count: number) =>
    podsToDelete(objects, relatives, count, NOW).map(({ metadata }) => metadata!.name!);
  const names = first(objects.length - 1);
  return [
    ...names,
    ...objects.map(({ metadata }) => metadata!.name!).filter((name) => !names.includes(name)),
  ];
}

describe('the order of deletion', () => {
  it.each<[string, PodOptions, PodOptions]>([
    ['unassigned before assigned', { node: '', phase: 'Pending' }, { phase: 'Pending' }],
    ['pending before unknown', { phase: 'Pending' }, { phase: 'Unknown' }],
    ['unknown before running', { phase: 'Unknown' }, { phase: 'Running' }],
    ['not ready before ready', {}, { ready: 10 }],
    ['a lower cost before a higher one', { ready: 100, cost: '-5' }, { ready: 1, cost: '3' }],
    ['ready for a shorter time', { ready: 10 }, { ready: 1000 }],
    ['more restarts', { ready: 10, restarts: 2 }, { ready: 10, restarts: 1 }],
    ['more restarts of sidecars', { ready: 10, sidecarRestarts: 2 }, { ready: 10, sidecarRestarts: 1 }],
    ['younger', { ready: 10, age: 100 }, { ready: 10, age: 10_000 }],
  ])('%s', (_name, first, second) => {
    // Names do not decide.
    expect(
      order([
        ['z', first],
        ['a', second],
      ]),
    ).toEqual(['z', 'a']);
    expect(
      order([
        ['a', second],
        ['z', first],
      ]),
    ).toEqual(['z', 'a']);
  });

  it('takes a Pod from the node with most Pods of the family', () =>
    expect(
      order(
        [
          ['a', { ready: 10, node: 'one' }],
          ['z', { ready: 10, node: 'two' }],
        ],
        [
          ['a', { node: 'one' }],
          ['z', { node: 'two' }],
          ['other', { node: 'two' }],
          ['gone', { node: 'one', deleted: true }],
          ['done', { node: 'one', phase: 'Succeeded' }],
        ],
      ),
    ).toEqual(['z', 'a']));

  it('orders times by magnitude, and equal magnitudes by uid', () => {
    expect(
      order([
        ['b', { ready: 1000 }],
        ['a', { ready: 1001 }],
      ]),
    ).toEqual(['a', 'b']);
    expect(
      order([
        ['b', { ready: 1000 }],
        ['a', { ready: 5000 }],
      ]),
    ).toEqual(['b', 'a']);
  });

  it('is the same however the Pods are given', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            phase: fc.constantFrom('Pending', 'Running'),
            node: fc.constantFrom('', 'one', 'two'),
            ready: fc.option(fc.integer({ min: 0, max: 100_000 }), { nil: undefined }),
            age: fc.integer({ min: 0, max: 100_000 }),
            restarts: fc.integer({ min: 0, max: 2 }),
            cost: fc.constantFrom('0', '1'),
          }),
          { minLength: 2, maxLength: 12 },
        ),
        fc.infiniteStream(fc.integer()),
        (options, keys) => {
          const pods = options.map((one, index) => [`p${index}`, one as PodOptions] as const);
          const shuffled = pods
            .map((one) => ({ one, key: keys.next().value as number }))
            .sort((a, b) => a.key - b.key);
          expect(order(shuffled.map(({ one }) => one))).toEqual(order(pods));
        },
      ),
      { numRuns: 200 },
    ));
});
