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
  const fill = (value: number): void => chunk.add(Buffer.alloc(5_000, value));
  fill(1);
  const first = chunk.take(true);
  fill(2);
  const second = chunk.take(true);
  expect(second.buffer).not.toBe(first.buffer);
  fill(3);
  const third = chunk.take(false);
  expect(third.buffer).toBe(first.buffer);
  fill(4);
  const fourth = chunk.take(true);
  expect(fourth.buffer).not.toBe(second.buffer);
  expect([second[0], third[0], fourth[0]]).toEqual([2, 3, 4]);
  fill(5);
  expect(chunk.take().buffer).toBe(third.buffer);
});
