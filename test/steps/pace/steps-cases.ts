import fc from 'fast-check';
import { checkEach, once, replay, resultsOfEach } from '../../../src/steps/replay.ts';
import { sortInSteps } from '../../../src/steps/sort.ts';
import { waitFor } from '../../../src/steps/steps.ts';
import { paceCase, steadyCase } from './pace-case.ts';

/** Lists of which some take several runs. */
const lists = fc.array(fc.array(fc.nat(99), { maxLength: 150, size: 'max' }), { maxLength: 4 });

/** What a validation with lists in lists finds. */
const found = (all: readonly (readonly number[])[]): unknown => [
  resultsOfEach(all, { place: 'sums' }, sumOfSquares),
  checkEach(all, { place: 'names', items: () => all.flat() }, (item: number) =>
    item % 7 === 0 ? [item] : [],
  ),
  once(all, { place: 'size', cost: 4 }, () => all.length),
];

function sumOfSquares(list: readonly number[]): number {
  const squares: number[] = resultsOfEach(list, { place: 'squares' }, (item: number) => item * item);
  return squares.reduce((sum, item) => sum + item, 0);
}

export const STEPS_CASES = [
  paceCase('steps/replay.ts replay', lists, (all) => replay(() => found(all)), found),
  paceCase(
    'steps/sort.ts sortInSteps',
    fc.array(fc.tuple(fc.nat(9), fc.nat())),
    (items) => sortInSteps(items, ([a], [b]) => a - b),
    (items) => [...items].sort(([a], [b]) => a - b),
  ),
  steadyCase('steps/steps.ts waitFor', fc.anything(), waitFor),
];
