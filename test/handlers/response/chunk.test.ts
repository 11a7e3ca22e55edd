import { expect, it } from 'vitest';
import { Chunk } from '../../../src/handlers/response/chunk.ts';

it('joins parts of any size and does not modify returned bytes', () => {
  const chunk = new Chunk();
  expect(chunk.take()).toHaveLength(0);
  const parts = [1, 8_191, 1, 100_000, 3].map((size, index) => Buffer.alloc(size, index + 1));
  for (const part of parts) chunk.add(part);
  expect(chunk.length).toBe(108_196);
  const first = chunk.take();
  const before = Buffer.from(first);
  expect(chunk.length).toBe(0);
  chunk.add(Buffer.alloc(50_000, 9));
  expect(chunk.take().equals(Buffer.alloc(50_000, 9))).toBe(true);
  expect(first.equals(before)).toBe(true);
  expect(first.equals(Buffer.concat(parts))).toBe(true);
});

it('uses memory again once its bytes are unused', () => {
  const chunk = new Chunk();
  const take = (value: number, usedBytes?: number): Buffer => {
    chunk.add(Buffer.alloc(5_000, value));
    return chunk.take(usedBytes);
  };
  const first = take(1);
  const second = take(2, 5_000);
  const third = take(3, 5_001);
  // The first chunk was in use in part.
  expect(new Set([first.buffer, second.buffer, third.buffer]).size).toBe(3);
  const fourth = take(4, 5_000);
  expect([first[0], second[0], third[0], fourth[0]]).toEqual([1, 2, 3, 4]);
  const fifth = take(5, 5_000);
  expect([first.buffer, second.buffer]).toContain(fifth.buffer);
  expect([third[0], fourth[0], fifth[0]]).toEqual([3, 4, 5]);
  const sixth = take(6, 5_000);
  expect([third.buffer, first.buffer, second.buffer]).toContain(sixth.buffer);
  expect([fourth[0], fifth[0], sixth[0]]).toEqual([4, 5, 6]);
});
