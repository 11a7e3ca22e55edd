import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ArenaSlice, ByteArena } from '../../src/cache/arena.ts';

const filled = (length: number, byte: number) => new Uint8Array(length).fill(byte);

test('copies what it is given', () => {
  const arena = new ByteArena();
  const bytes = filled(10, 1);
  const slice = arena.store(bytes);
  bytes.fill(2);
  expect([...slice.view()]).toEqual([...filled(10, 1)]);
  expect(slice.length).toBe(10);
  expect(arena.bytes).toBe(1 << 20);
  expect(arena.liveBytes).toBe(10);
  expect([...arena.store(new Uint8Array(0)).view()]).toEqual([]);
});

test('a freed slice is gone', () => {
  const arena = new ByteArena();
  const slice = arena.store(filled(10, 1));
  arena.free(slice);
  expect(() => slice.view()).toThrow(RangeError);
  expect(() => arena.free(slice)).toThrow(RangeError);
  expect(arena.liveBytes).toBe(0);
});

test('large values have an allocation of their own', () => {
  const arena = new ByteArena(1000);
  const large = arena.store(filled(251, 1));
  expect(arena.bytes).toBe(251);
  arena.free(large);
  expect(arena.bytes).toBe(0);
  const larger = arena.store(filled(5000, 2));
  expect([...larger.view()]).toEqual([...filled(5000, 2)]);
});

test('a slab less than half live is emptied; views taken before stay true', () => {
  const arena = new ByteArena(1000);
  const slices = Array.from({ length: 20 }, (_, index) => arena.store(filled(100, index)));
  expect(arena.bytes).toBe(2000);
  const view = slices[9]!.view();
  for (const slice of slices.slice(0, 6)) arena.free(slice);
  expect(arena.bytes).toBe(2000);
  expect(slices.slice(6).map((slice) => slice.view()[0])).toEqual(slices.slice(6).map((_, index) => index + 6));
  expect([...view]).toEqual([...filled(100, 9)]);
  expect(slices[9]!.view().buffer).not.toBe(view.buffer);
});

test('holds every live slice and at most about twice their bytes, whatever is stored and freed', () => {
  const step = fc.oneof(fc.record({ store: fc.integer({ min: 0, max: 400 }), byte: fc.integer({ min: 0, max: 255 }) }), fc.record({ free: fc.nat() }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const arena = new ByteArena(1000);
      const live: { slice: ArenaSlice; length: number; byte: number }[] = [];
      for (const one of steps) {
        if ('store' in one) live.push({ slice: arena.store(filled(one.store, one.byte)), length: one.store, byte: one.byte });
        else if (live.length > 0) arena.free(live.splice(one.free % live.length, 1)[0]!.slice);
      }
      for (const { slice, length, byte } of live) expect(Buffer.compare(slice.view(), filled(length, byte))).toBe(0);
      const total = live.reduce((sum, { length }) => sum + length, 0);
      expect(arena.liveBytes).toBe(total);
      // A slab is closed with up to a quarter unused, and the present one may be empty.
      expect(arena.bytes).toBeLessThanOrEqual((total * 2) / 0.75 + 2 * 1000);
    }),
  );
});
