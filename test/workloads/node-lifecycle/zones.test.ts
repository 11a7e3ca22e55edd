import { describe, expect, it } from 'vitest';
import {
  EvictionRate,
  judgeZones,
  type ZoneState,
  zoneStateOf,
} from '../../../src/workloads/node-lifecycle/zones.ts';

const settings = {
  monitorPeriod: 5000,
  monitorGracePeriod: 50_000,
  startupGracePeriod: 60_000,
  evictionRate: 0.1,
  secondaryEvictionRate: 0.01,
  largeClusterThreshold: 50,
  unhealthyZoneThreshold: 0.55,
};
const judge = (before: Record<string, ZoneState>, zones: Record<string, [number, number]>) =>
  judgeZones(
    new Map(Object.entries(before)),
    new Map(Object.entries(zones).map(([zone, [ready, notReady]]) => [zone, { ready, notReady }])),
    settings,
  );

describe('a zone', () => {
  it.each([
    [3, 0, 'normal'],
    [0, 1, 'full'],
    [1, 2, 'normal'],
    [2, 3, 'partial'],
    [10, 12, 'normal'],
    [9, 11, 'partial'],
    [0, 0, 'normal'],
  ] as const)('with %d ready and %d other nodes is %s', (ready, notReady, state) => {
    expect(zoneStateOf({ ready, notReady }, settings)).toBe(state);
  });
});

describe('zones', () => {
  it('get the rate of their state when it changes', () => {
    const first = judge({}, { a: [3, 0], b: [2, 3], c: [10, 50], d: [0, 2] });
    expect(Object.fromEntries(first.rates)).toEqual({ a: 0.1, b: 0, c: 0.01, d: 0.1 });
    expect([first.begins, first.ends]).toEqual([false, false]);
    expect(judge(Object.fromEntries(first.states), { a: [3, 0], b: [3, 0] }).rates).toEqual(
      new Map([['b', 0.1]]),
    );
  });

  it('are left alone when all are down, until one is not', () => {
    const down = judge({ a: 'normal', b: 'full' }, { a: [0, 1], b: [0, 2] });
    expect([down.begins, Object.fromEntries(down.rates)]).toEqual([true, { a: 0, b: 0 }]);
    expect(judge({ a: 'full', b: 'full' }, { a: [0, 1], b: [0, 2] })).toMatchObject({
      begins: false,
      ends: false,
      rates: new Map(),
    });
    const back = judge({ a: 'full', b: 'full' }, { a: [1, 0], b: [0, 2] });
    expect([back.ends, Object.fromEntries(back.rates)]).toEqual([true, { a: 0.1, b: 0.1 }]);
  });
});

describe('the rate of evictions', () => {
  it('lets one node pass at a time', () => {
    const rate = new EvictionRate(0.1);
    expect(rate.nextAt()).toBeLessThanOrEqual(0);
    rate.take(1000);
    expect(rate.nextAt()).toBe(11_000);
  });

  it('makes who waits wait anew when it changes', () => {
    const rate = new EvictionRate(0.1);
    rate.take(1000);
    rate.change(0.01, 2000);
    expect(rate.nextAt()).toBe(102_000);
    rate.change(0, 3000);
    expect(rate.nextAt()).toBe(Number.POSITIVE_INFINITY);
    rate.change(0.1, 200_000);
    expect(rate.nextAt()).toBe(210_000);
    rate.change(1, 300_000);
    expect(rate.nextAt()).toBe(300_000);
  });
});
