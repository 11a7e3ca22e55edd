import { expect, it } from 'vitest';
import { readHeap, watchHeap } from '../../src/composition/heap-watch.ts';
import { FakeClock } from '../storage/fake-clock.ts';

const MB = 2 ** 20;

it('warns once, before the heap is full, and again after it had room', () => {
  const clock = new FakeClock();
  const lines: [string, unknown][] = [];
  let used = 100;
  const stop = watchHeap(clock, { warn: (text, fields) => lines.push([text, fields]) }, () => ({
    used: used * MB,
    limit: 1000 * MB,
  }));
  const readings = (...values: number[]) => {
    for (const value of values) {
      used = value;
      clock.advance(1000);
    }
    return lines.length;
  };
  // Single readings may contain garbage.
  expect(readings(500, 850, 850, 700, 850, 850, 600)).toBe(0);
  expect(readings(850, 860, 870, 880, 700, 900)).toBe(1);
  expect(lines[0]![0]).toContain('--max-old-space-size');
  expect(lines[0]![1]).toEqual({ usedMegabytes: 870, limitMegabytes: 1000 });
  expect(readings(600, 850, 850, 850)).toBe(2);
  stop();
  expect(readings(600, 850, 850, 850)).toBe(2);
});

it('reads the heap of this process', () => {
  const { used, limit } = readHeap();
  expect(used).toBeGreaterThan(MB);
  expect(limit).toBeGreaterThan(used);
});
