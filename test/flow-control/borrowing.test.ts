import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allocateSeats } from '../../src/flow-control/allocation.ts';
import { DemandIntegrator } from '../../src/flow-control/demand.ts';
import { RetryAfter } from '../../src/flow-control/retry-after.ts';
import { request } from '../filters/context.ts';
import { ANYBODY, EVERY_RESOURCE, flowControl, level, queues, schema } from './support.ts';

describe('the allocation of seats', () => {
  it('multiplies the targets by one factor within the bounds', () => {
    expect(
      allocateSeats(12, [
        { lower: 0, upper: 100, target: 1 },
        { lower: 0, upper: 100, target: 3 },
      ]),
    ).toEqual({ seats: [3, 9], fraction: 3 });
    expect(
      allocateSeats(12, [
        { lower: 6, upper: 100, target: 6 },
        { lower: 0, upper: 2, target: 2 },
        { lower: 0, upper: 100, target: 2 },
      ]),
    ).toEqual({ seats: [7.5, 2, 2.5], fraction: 1.25 });
  });

  it('has the properties of a fair allocation', () => {
    const claim = fc
      .tuple(
        fc.integer({ min: 0, max: 50 }),
        fc.integer({ min: 0, max: 50 }),
        fc.double({ min: 0, max: 50, noNaN: true }),
      )
      .map(([lower, more, above]) => ({ lower, upper: lower + more, target: lower + above }));
    fc.assert(
      fc.property(fc.array(claim, { minLength: 1, maxLength: 8 }), fc.nat(1000), (claims, part) => {
        const lowest = claims.reduce((sum, { lower }) => sum + lower, 0);
        const highest = claims.reduce((sum, { upper }) => sum + upper, 0);
        const sum = Math.floor(lowest + ((highest - lowest) * part) / 1000);
        const { seats, fraction } = allocateSeats(sum, claims);
        expect(seats!.reduce((total, one) => total + one, 0)).toBeCloseTo(sum, 4);
        for (const [index, { lower, upper, target }] of claims.entries()) {
          const got = seats![index]!;
          const fair = Math.max(target, 0.001) * fraction;
          expect(got).toBeGreaterThanOrEqual(lower - 1e-6);
          expect(got).toBeLessThanOrEqual(upper + 1e-6);
          if (sum > lowest && sum < highest)
            expect(got).toBeCloseTo(Math.max(lower, Math.min(upper, fair)), 4);
        }
      }),
    );
  });

  it('is undefined for a sum that the bounds do not permit', () => {
    expect(allocateSeats(1, [{ lower: 2, upper: 3, target: 2 }]).seats).toBeUndefined();
    expect(allocateSeats(4, [{ lower: 2, upper: 3, target: 2 }]).seats).toBeUndefined();
  });
});

describe('the demand of a level', () => {
  it('is integrated over time', () => {
    const demand = new DemandIntegrator(0);
    demand.set(4, 1000);
    demand.set(0, 2000);
    expect(demand.end(4000)).toEqual({ duration: 4000, average: 1, deviation: Math.sqrt(3), highest: 4 });
    expect(demand.end(4000)).toEqual({ duration: 0, average: 0, deviation: 0, highest: 0 });
  });
});

describe('levels', () => {
  const everything = { subjects: ANYBODY, resourceRules: EVERY_RESOURCE };
  const limited = (borrowingLimitPercent?: number) => ({
    nominalConcurrencyShares: 50,
    lendablePercent: 50,
    ...(borrowingLimitPercent === undefined ? {} : { borrowingLimitPercent }),
    limitResponse: queues(4, 1, 500),
  });

  it('have the limits of the recorded server with 20 seats', async () => {
    const { metric } = flowControl({ seats: 20 });
    const limits = async (name: string) => [
      await metric(`nominal_limit_seats{priority_level="${name}"}`),
      await metric(`lower_limit_seats{priority_level="${name}"}`),
      await metric(`upper_limit_seats{priority_level="${name}"}`),
    ];
    expect(await limits('workload-low')).toEqual([9, 1, 29]);
    expect(await limits('node-high')).toEqual([4, 3, 24]);
    expect(await limits('exempt')).toEqual([0, 0, 20]);
  });

  it('borrow seats that others do not need, and return them', async () => {
    const { control, clock, metric } = flowControl({
      seats: 100,
      schemas: [schema('s', 1, everything, 'busy')],
      levels: [level('busy', limited()), level('idle', limited())],
    });
    const seats = (name: string) => metric(`current_limit_seats{priority_level="${name}"}`);
    const before = (await seats('busy'))!;
    const { context } = request('GET', '/api/v1/namespaces/default');
    const tickets = Array.from({ length: 200 }, () => control.start(context, control.flowOf(context)));
    clock.advance(10_000);
    const borrowed = (await seats('busy'))!;
    expect(borrowed).toBeGreaterThan(before);
    expect(await seats('idle')).toBeGreaterThanOrEqual(24);
    expect(await seats('idle')).toBeLessThan(before);
    for (let index = 0; index < tickets.length; index += 1)
      control.finish(tickets.find(({ state }) => state === 'executing')!);
    clock.advance(1_800_000);
    expect(Math.abs((await seats('busy'))! - before)).toBeLessThanOrEqual(1);
  });

  it('do not borrow above their limit', async () => {
    const { control, clock, metric } = flowControl({
      seats: 100,
      schemas: [schema('s', 1, everything, 'busy')],
      levels: [level('busy', limited(10)), level('idle', limited())],
    });
    const { context } = request('GET', '/api/v1/namespaces/default');
    for (let index = 0; index < 300; index += 1) control.start(context, control.flowOf(context));
    clock.advance(60_000);
    const nominal = (await metric('nominal_limit_seats{priority_level="busy"}'))!;
    expect(await metric('current_limit_seats{priority_level="busy"}')).toBe(
      nominal + Math.round(nominal / 10),
    );
  });
});

describe('Retry-After', () => {
  it('rises and falls as in kube-apiserver', () => {
    const retryAfter = new RetryAfter();
    const seen = (
      [
        [0, 5],
        [1, 11],
        [2, 1],
        [3, 11],
        [4, 1],
        [7, 1],
        [11, 1],
        [15, 1],
        [17, 1],
        [21, 14],
        [22, 1],
      ] as const
    ).map(([second, refusals]) => {
      for (let index = 0; index < refusals; index += 1)
        retryAfter.refused(1_600_000_000_000 + second * 1000 + index);
      return retryAfter.seconds;
    });
    expect(seen).toEqual([1, 2, 2, 4, 4, 8, 8, 7, 6, 5, 10]);
  });
});
