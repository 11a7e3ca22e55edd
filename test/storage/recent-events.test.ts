import { expect, test } from 'vitest';
import { eventSize, RecentEvents } from '../../src/storage/recent-events.ts';
import type { StoreEvent } from '../../src/storage/storage.ts';
import { retainedBuffers } from '../support/retained.ts';

const megabyte = 1 << 20;

function event(revision: number, size: number): StoreEvent {
  const previous = { key: '/a', value: new Uint8Array(size), revision: revision - 1, createRevision: 1 };
  return { type: 'put', key: '/a', revision, value: new Uint8Array(size), createRevision: 1, previous };
}

test('recent events keep no bytes beyond their bound alive, also when they are few and large', async () => {
  const recent = new RecentEvents(16 * megabyte, 1, eventSize);
  const before = await retainedBuffers();
  for (let revision = 2; revision < 500; revision += 1) recent.push(event(revision, megabyte));
  expect((await retainedBuffers()) - before).toBeLessThanOrEqual(17 * megabyte);
  expect(recent.startRevision).toBe(492);
  expect(recent.after(492, 100)!.map(({ revision }) => revision)).toEqual([
    493, 494, 495, 496, 497, 498, 499,
  ]);
});

test('recent events are found by revision after many small ones were evicted', () => {
  const recent = new RecentEvents(100_000, 1, eventSize);
  for (let revision = 2; revision < 10_000; revision += 1) recent.push(event(revision, 100));
  const start = recent.startRevision;
  expect(9_999 - start).toBe(Math.floor(100_000 / 402));
  expect(recent.after(start + 3, 5)!.map(({ revision }) => revision)).toEqual(
    [4, 5, 6, 7, 8].map((offset) => start + offset),
  );
  expect(recent.after(start - 1, 5)).toBeUndefined();
  expect(recent.after(9997, 5)).toMatchObject([{ revision: 9998 }, { revision: 9999 }]);
});

test('a revision with many events is read completely or not at all', () => {
  const recent = new RecentEvents<{ revision: number; name: number }>(100, 1, () => 1);
  const add = (revision: number, count: number) => {
    for (let name = 0; name < count; name += 1) recent.push({ revision, name });
  };
  add(2, 30);
  add(3, 30);
  add(5, 1);
  expect(recent.after(1, 10)).toHaveLength(30);
  expect(recent.after(2, 31)).toHaveLength(31);
  expect(recent.after(3, 10)).toEqual([{ revision: 5, name: 0 }]);
  // One event too many drops the whole of revision 2.
  add(6, 40);
  expect(recent.startRevision).toBe(2);
  expect(recent.after(1, 10)).toBeUndefined();
  expect(recent.after(2, 1)).toHaveLength(30);
  // A revision that does not fit is not held in part.
  add(7, 150);
  expect(recent.startRevision).toBe(7);
  expect(recent.after(6, 10)).toBeUndefined();
  expect(recent.after(7, 10)).toEqual([]);
  add(8, 1);
  expect(recent.after(7, 10)).toEqual([{ revision: 8, name: 0 }]);
});
