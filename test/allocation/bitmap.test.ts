import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Bitmap } from '../../src/allocation/bitmap.ts';

it('writes the big-endian number of the set bits', () => {
  const bitmap = new Bitmap(20);
  expect(bitmap.toBytes()).toEqual(new Uint8Array());
  bitmap.add(0);
  bitmap.add(9);
  expect([...bitmap.toBytes()]).toEqual([0b10, 0b1]);
  bitmap.delete(9);
  expect([...bitmap.toBytes()]).toEqual([1]);
});

it('reads what it writes', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(99)), (numbers) => {
      const bitmap = new Bitmap(100);
      for (const number of numbers) bitmap.add(number);
      const read = Bitmap.fromBytes(100, bitmap.toBytes());
      expect([...read]).toEqual([...numbers].sort((a, b) => a - b));
      expect(read.count).toBe(numbers.length);
    }),
  );
});

it('ignores bits beyond its size', () => {
  expect([...Bitmap.fromBytes(3, Uint8Array.of(0xff, 0xff))]).toEqual([0, 1, 2]);
});
