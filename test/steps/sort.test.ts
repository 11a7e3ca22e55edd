import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runNow } from '../../src/steps/run.ts';
import { sortInSteps } from '../../src/steps/sort.ts';

it('sorts like Array.sort', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(20), fc.nat())),
      fc.integer({ min: 1, max: 9 }),
      (items, itemsAtOnce) => {
        const compareFirst = ([a]: [number, number], [b]: [number, number]): number => a - b;
        expect(runNow(sortInSteps(items, compareFirst, itemsAtOnce))).toEqual([...items].sort(compareFirst));
      },
    ),
  );
});

it('pauses after each run, and while runs are merged', () => {
  const steps = sortInSteps([...Array(100).keys()].reverse(), (a, b) => a - b, 10);
  let yields = 0;
  while (steps.next().done !== true) yields += 1;
  expect(yields).toBeGreaterThan(9 + 3 * 10);
});
