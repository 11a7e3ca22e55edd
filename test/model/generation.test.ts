import { expect, it } from 'vitest';
import { nextGeneration } from '../../src/model/object.ts';

it.each([
  [undefined, 1],
  [1, 2],
  [Number.MAX_SAFE_INTEGER, 2n ** 53n],
  [2n ** 53n, 2n ** 53n + 1n],
  [2n ** 63n - 1n, 2n ** 63n - 1n],
  [-(2n ** 60n), 1n - 2n ** 60n],
])('the generation after %s', (generation, next) => {
  expect(nextGeneration(generation)).toBe(next);
});
