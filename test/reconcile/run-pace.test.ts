import { expect, it } from 'vitest';
import { RunPace } from '../../src/reconcile/run-pace.ts';
import { ManualClock } from './manual-clock.ts';

it('permits a burst, then one run in each interval, for each key', () => {
  const clock = new ManualClock();
  const pace = new RunPace({ burst: 3, interval: 10 }, clock);
  const begin = (count: number, key = 'a') => Array.from({ length: count }, () => pace.begin(key));
  clock.advance(1000);
  expect(begin(5)).toEqual([0, 0, 0, 10, 10]);
  expect(begin(1, 'b')).toEqual([0]);
  clock.advance(4);
  expect(begin(1)).toEqual([6]);
  clock.advance(6);
  expect(begin(2)).toEqual([0, 10]);
  clock.advance(1000);
  expect(begin(4)).toEqual([0, 0, 0, 10]);
});

it('counts an expensive run as several', () => {
  const clock = new ManualClock();
  const pace = new RunPace({ burst: 3, interval: 10 }, clock);
  clock.advance(1000);
  expect(pace.begin('a')).toBe(0);
  pace.charge('a', 25);
  pace.charge('b', 25);
  expect([pace.begin('a'), pace.begin('b')]).toEqual([15, 0]);
  clock.advance(15);
  expect([pace.begin('a'), pace.begin('a')]).toEqual([0, 10]);
  pace.charge('a', 1e9);
  clock.advance(9999);
  expect(pace.begin('a')).toBe(11);
});

it('forgets runs that a clock which was set back has in the future', () => {
  const clock = new ManualClock();
  const pace = new RunPace({ burst: 1, interval: 10 }, clock);
  clock.advance(100_000);
  expect([pace.begin('a'), pace.begin('a')]).toEqual([0, 10]);
  clock.advance(-50_000);
  expect(pace.begin('a')).toBe(0);
});
