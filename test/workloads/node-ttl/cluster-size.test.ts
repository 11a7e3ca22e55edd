import { expect, it } from 'vitest';
import { nextSize, secondsOf } from '../../../src/workloads/node-ttl/cluster-size.ts';

it('grows and shrinks at different numbers of nodes', () => {
  const seconds: number[] = [];
  let size = 0;
  for (const nodes of [1, 100, 101, 95, 89, 501, 1001, 2001, 20_000, 8000, 0]) {
    size = nextSize(size, nodes);
    seconds.push(secondsOf(size));
  }
  expect(seconds).toEqual([0, 0, 15, 15, 0, 30, 60, 300, 300, 300, 0]);
});
