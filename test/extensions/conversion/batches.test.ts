import { expect, it } from 'vitest';
import { writePlain } from '../../../src/codec/json-plain.ts';
import { nextBatch } from '../../../src/extensions/conversion/batches.ts';

it('a large object is encoded in steps', async () => {
  const members = Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`k${index}`, 'v']));
  const objects = [{ apiVersion: 'a.test/v1', kind: 'Thing', members }, { kind: 'Thing' }];
  let turns = 0;
  let running = true;
  const turn = () => {
    turns += 1;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  const { encoded, indexes } = await nextBatch(objects, [0, 1], 0);
  running = false;
  expect(turns).toBeGreaterThan(4);
  expect(encoded).toEqual(objects.map(writePlain));
  expect(indexes).toEqual([0, 1]);
});
