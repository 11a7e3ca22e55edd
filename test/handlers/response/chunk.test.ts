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
