import { expect, test } from 'vitest';
import { EventHistory } from '../../src/storage/event-ring.ts';
import type { StoreEvent } from '../../src/storage/storage.ts';
import { retainedBuffers } from '../support/retained.ts';

const megabyte = 1 << 20;

function event(revision: number, size: number): StoreEvent {
  const previous = { key: '/a', value: new Uint8Array(size), revision: revision - 1, createRevision: 1 };
  return { type: 'put', key: '/a', revision, value: new Uint8Array(size), createRevision: 1, previous };
}

test('recent events keep no bytes beyond their bound alive, also when they are few and large', async () => {
  const recent = new EventHistory(16 * megabyte, 2);
  const before = await retainedBuffers();
  for (let revision = 2; revision < 500; revision += 1) recent.push(event(revision, megabyte));
  expect((await retainedBuffers()) - before).toBeLessThanOrEqual(17 * megabyte);
  expect(recent.coveredFrom).toBe(493);
  expect(recent.read(493, 499, 100).events.map(({ revision }) => revision)).toEqual([
    493, 494, 495, 496, 497, 498, 499,
  ]);
});

test('recent events are found by revision after many small ones were evicted', () => {
  const recent = new EventHistory(100_000, 2);
  for (let revision = 2; revision < 10_000; revision += 1) recent.push(event(revision, 100));
  const from = recent.coveredFrom;
  expect(10_000 - from).toBe(Math.floor(100_000 / 402));
  const { events, next } = recent.read(from + 3, 9999, 5);
  expect(events.map(({ revision }) => revision)).toEqual([3, 4, 5, 6, 7].map((offset) => from + offset));
  expect(next).toBe(from + 8);
  expect(recent.read(9998, 9999, 5)).toMatchObject({
    events: [{ revision: 9998 }, { revision: 9999 }],
    next: 10_000,
  });
});
