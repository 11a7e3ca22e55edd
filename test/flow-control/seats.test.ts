import { describe, expect, it } from 'vitest';
import type { FlowControl, Ticket } from '../../src/flow-control/index.ts';
import { request } from '../filters/context.ts';
import { ANYBODY, EVERY_RESOURCE, flowControl, level, queues, REJECT, schema, user } from './support.ts';

const everything = { subjects: ANYBODY, resourceRules: EVERY_RESOURCE };

/** One level with a number of seats and nothing to lend or borrow. */
function oneLevel(seats: number, limitResponse: object, distinguisher?: 'ByUser' | 'ByNamespace') {
  return flowControl({
    seats: seats + 1,
    schemas: [schema('s', 1, everything, 'l', distinguisher)],
    levels: [
      level('l', {
        nominalConcurrencyShares: seats * 5,
        lendablePercent: 0,
        borrowingLimitPercent: 0,
        limitResponse,
      }),
    ],
  });
}

function start(control: FlowControl, who = 'x', target = '/api/v1/namespaces/default'): Ticket {
  const { context } = request('GET', target);
  context.user = user(who);
  return control.start(context, control.flowOf(context));
}

describe('a priority level without queues', () => {
  it('refuses what it has no seats for', async () => {
    const { control, metric } = oneLevel(2, REJECT);
    const tickets = [start(control), start(control), start(control)];
    expect(tickets.map(({ state }) => state)).toEqual(['executing', 'executing', 'refused']);
    control.finish(tickets[0]!);
    expect(start(control).state).toBe('executing');
    expect(
      await metric('rejected_requests_total{flow_schema="s",priority_level="l",reason="concurrency-limit"}'),
    ).toBe(1);
  });

  it('serves one request at a time without any seat', () => {
    const { control } = flowControl({
      schemas: [schema('s', 1, everything, 'l')],
      levels: [level('l', { nominalConcurrencyShares: 0, borrowingLimitPercent: 0, limitResponse: REJECT })],
    });
    expect([start(control), start(control)].map(({ state }) => state)).toEqual(['executing', 'refused']);
  });
});

describe('the exempt level', () => {
  it('never queues or refuses', async () => {
    const { control, metric } = flowControl({ seats: 1 });
    const { context } = request('GET', '/api/v1/nodes');
    context.user = user('root', 'system:masters');
    const flow = control.flowOf(context);
    const tickets = Array.from({ length: 50 }, () => control.start(context, flow));
    expect(new Set(tickets.map(({ state }) => state))).toEqual(new Set(['executing']));
    expect(await metric('current_executing_requests{flow_schema="exempt",priority_level="exempt"}')).toBe(50);
  });
});

describe('a priority level with queues', () => {
  it('lets requests wait, and refuses them when their queue is full', async () => {
    const { control, metric } = oneLevel(1, queues(1, 1, 2));
    const tickets = Array.from({ length: 4 }, () => start(control));
    expect(tickets.map(({ state }) => state)).toEqual(['executing', 'waiting', 'waiting', 'refused']);
    expect(await metric('current_inqueue_requests{flow_schema="s",priority_level="l"}')).toBe(2);
    control.finish(tickets[0]!);
    expect(tickets.map(({ state }) => state)).toEqual(['finished', 'executing', 'waiting', 'refused']);
    expect(await metric('current_executing_seats{flow_schema="s",priority_level="l"}')).toBe(1);
    expect(
      await metric('rejected_requests_total{flow_schema="s",priority_level="l",reason="queue-full"}'),
    ).toBe(1);
  });

  it('ends a wait at its deadline', async () => {
    const { control, clock, metric } = oneLevel(1, queues(1, 1, 5));
    start(control);
    const ticket = start(control);
    let decided = 0;
    control.wait(ticket, clock.time + 1000, () => {
      decided += 1;
    });
    clock.advance(999);
    expect(ticket.state).toBe('waiting');
    clock.advance(1);
    expect([ticket.state, decided]).toEqual(['refused', 1]);
    const labels = 'flow_schema="s",priority_level="l"';
    expect(await metric(`rejected_requests_total{${labels},reason="time-out"}`)).toBe(1);
    expect(await metric(`current_inqueue_requests{${labels}}`)).toBe(0);
    expect(await metric(`request_wait_duration_seconds_sum{execute="false",${labels}}`)).toBe(1);
  });

  it('reports the decision of a waiting request once', () => {
    const { control, clock } = oneLevel(1, queues(1, 1, 5));
    const [first, second] = [start(control), start(control)];
    const states: string[] = [];
    const cancel = control.wait(second, clock.time + 1000, () => states.push(second.state));
    control.finish(first);
    cancel();
    clock.advance(5000);
    expect(states).toEqual(['executing']);
  });

  it('serves flows by turns, however many requests one of them sends', () => {
    const { control, clock } = oneLevel(1, queues(64, 6, 50), 'ByUser');
    let running = start(control, 'greedy');
    const waiting = [
      ...Array.from({ length: 20 }, () => start(control, 'greedy')),
      ...Array.from({ length: 3 }, () => start(control, 'polite')),
    ];
    const order: string[] = [];
    while (order.length < waiting.length) {
      clock.advance(100);
      control.finish(running);
      running = waiting.find(({ state }) => state === 'executing')!;
      order.push(running.flow.distinguisher);
    }
    // Each of the queues of the greedy flow counts as one.
    expect(order.lastIndexOf('polite')).toBeLessThan(20);
    expect(order.indexOf('polite')).toBeLessThan(8);
  });

  it('keeps seats for a wide request instead of overtaking it forever', () => {
    const { control, clock } = flowControl({
      seats: 11,
      objects: () => 200,
      schemas: [schema('s', 1, everything, 'l', 'ByUser')],
      levels: [
        level('l', {
          nominalConcurrencyShares: 50,
          borrowingLimitPercent: 0,
          limitResponse: queues(16, 1, 50),
        }),
      ],
    });
    const narrow = Array.from({ length: 10 }, () => start(control, 'narrow'));
    const wide = start(control, 'wide', '/api/v1/pods');
    expect([wide.seats, wide.state]).toEqual([2, 'waiting']);
    const later = Array.from({ length: 5 }, () => start(control, 'narrow'));
    clock.advance(10);
    control.finish(narrow[0]!);
    control.finish(narrow[1]!);
    expect([wide.state, later[0]!.state]).toEqual(['executing', 'waiting']);
  });
});

describe('a change of the configuration', () => {
  it('counts from the next request on', () => {
    const { control, change } = oneLevel(1, REJECT);
    start(control);
    expect(start(control).state).toBe('refused');
    change({
      levels: [
        level('l', {
          nominalConcurrencyShares: 5,
          lendablePercent: 0,
          borrowingLimitPercent: 0,
          limitResponse: queues(2, 1, 3),
        }),
      ],
    });
    expect(start(control).state).toBe('waiting');
  });

  it('keeps a level without object until its last request has ended', async () => {
    const { control, change, metric } = oneLevel(1, queues(1, 1, 5));
    const [first, second] = [start(control), start(control)];
    change({ schemas: [], levels: [] });
    control.refresh();
    expect(control.levels.get('l')?.isQuiescing).toBe(true);
    control.finish(first);
    expect(second.state).toBe('executing');
    control.finish(second);
    expect(control.levels.get('l')).toBeUndefined();
    expect(await metric('nominal_limit_seats{priority_level="l"}')).toBeUndefined();
    expect(await metric('nominal_limit_seats{priority_level="catch-all"}')).toBe(2);
  });

  it('lets waiting requests of removed queues proceed', () => {
    const { control, change } = oneLevel(1, queues(8, 1, 5), 'ByUser');
    const first = start(control, 'u0');
    const others = Array.from({ length: 6 }, (_, index) => start(control, `u${index}`));
    change({
      levels: [
        level('l', {
          nominalConcurrencyShares: 5,
          lendablePercent: 0,
          borrowingLimitPercent: 0,
          limitResponse: queues(1, 1, 5),
        }),
      ],
    });
    control.refresh();
    control.finish(first);
    for (let served = 1; served <= 6; served += 1) {
      const running = others.find(({ state }) => state === 'executing');
      expect(running).toBeDefined();
      control.finish(running!);
    }
    expect(control.levels.get('l')!.queues.isIdle).toBe(true);
    expect(control.levels.get('l')!.queues.size).toBe(1);
  });
});
