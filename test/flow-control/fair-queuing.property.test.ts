import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Ticket } from '../../src/flow-control/index.ts';
import { request } from '../filters/context.ts';
import { ANYBODY, EVERY_RESOURCE, flowControl, level, queues, schema, user } from './support.ts';

const SEATS = 5;
const everything = { subjects: ANYBODY, resourceRules: EVERY_RESOURCE };

function system(objects: number) {
  const parts = flowControl({
    seats: SEATS + 1,
    objects: () => objects,
    schemas: [schema('s', 1, everything, 'l', 'ByUser')],
    levels: [
      level('l', {
        nominalConcurrencyShares: SEATS * 5,
        lendablePercent: 0,
        borrowingLimitPercent: 0,
        limitResponse: queues(32, 2, 1000),
      }),
    ],
  });
  const start = (who: string, wide: boolean): Ticket => {
    const { context } = request('GET', wide ? '/api/v1/pods' : '/api/v1/nodes/n');
    context.user = user(who);
    return parts.control.start(context, parts.control.flowOf(context));
  };
  return { ...parts, start, queues: parts.control.levels.get('l')!.queues };
}

const step = fc.oneof(
  fc.record({ kind: fc.constant('start' as const), who: fc.integer({ min: 0, max: 6 }), wide: fc.boolean() }),
  fc.record({ kind: fc.constant('finish' as const), index: fc.nat(100) }),
  fc.record({ kind: fc.constant('cancel' as const), index: fc.nat(100) }),
  fc.record({ kind: fc.constant('time' as const), milliseconds: fc.integer({ min: 1, max: 500 }) }),
);

describe('fair queuing', () => {
  it('never exceeds the seats, leaves none free that the next request fits, and drains', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const { control, clock, start, queues: set } = system(150);
        const tickets: Ticket[] = [];
        const inState = (state: Ticket['state']) => tickets.filter((ticket) => ticket.state === state);
        const used = () => inState('executing').reduce((sum, { seats }) => sum + seats, 0);
        for (const one of steps) {
          if (one.kind === 'start') tickets.push(start(`u${one.who}`, one.wide));
          else if (one.kind === 'time') clock.advance(one.milliseconds);
          else {
            const from = inState(one.kind === 'finish' ? 'executing' : 'waiting');
            const ticket = from[one.index % Math.max(1, from.length)];
            if (ticket !== undefined && one.kind === 'finish') control.finish(ticket);
            else if (ticket !== undefined) set.cancel(ticket, clock.time);
          }
          expect(used()).toBeLessThanOrEqual(SEATS);
          // Work conserving: seats are left only for a wide request that does not fit.
          const widest = Math.max(0, ...inState('waiting').map(({ seats }) => seats));
          if (widest > 0) expect(SEATS - used()).toBeLessThan(widest);
        }
        while (!set.isIdle) {
          const [running] = inState('executing');
          expect(running).toBeDefined();
          clock.advance(3);
          control.finish(running!);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('starves no flow: each gets its share of the time while it has requests', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 2, maxLength: 5 }),
        fc.integer({ min: 1, max: 50 }),
        (weights, duration) => {
          const { control, clock, start } = system(0);
          // Every flow always has some waiting requests; a greedy one has many.
          const served = weights.map(() => 0);
          let tickets: Ticket[] = [];
          const fill = () =>
            weights.forEach((count, flow) => {
              const open = tickets.filter(({ flow: { distinguisher } }) => distinguisher === `u${flow}`);
              for (let index = open.length; index < count + SEATS; index += 1)
                tickets.push(start(`u${flow}`, false));
            });
          fill();
          for (let round = 0; round < 200; round += 1) {
            clock.advance(duration);
            for (const ticket of tickets.filter(({ state }) => state === 'executing')) {
              served[Number(ticket.flow.distinguisher.slice(1))]! += 1;
              control.finish(ticket);
            }
            tickets = tickets.filter(({ state }) => state !== 'finished');
            fill();
          }
          const total = served.reduce((sum, count) => sum + count, 0);
          // A flow has one to two queues, which it may share with another flow.
          for (const count of served) expect(count).toBeGreaterThan(total / weights.length / 5);
        },
      ),
      { numRuns: 30 },
    );
  });
});
