import { describe, expect, it } from 'vitest';
import type { Ticket } from '../../src/flow-control/index.ts';
import { request } from '../filters/context.ts';
import { flowControl, user } from './support.ts';

const AUTHENTICATED = 'system:authenticated';

describe('a storm of one user', () => {
  it('does not make another user wait for its long requests', () => {
    const { control, clock } = flowControl({ objects: () => 5000 });
    const start = (who: string, target: string): Ticket => {
      const { context } = request('GET', target);
      context.user = user(who, AUTHENTICATED);
      return control.start(context, control.flowOf(context));
    };
    // 64 clients list many objects; each list takes seconds.
    let lists = Array.from({ length: 64 }, () => start('greedy', '/api/v1/pods'));
    expect(lists[0]!.seats).toBeGreaterThan(1);
    let waited = 0;
    let served = 0;
    for (let millisecond = 0; millisecond < 30_000; millisecond += 5) {
      clock.advance(5);
      for (const list of lists)
        if (list.state === 'executing' && clock.time - list.startedAt >= 3000) control.finish(list);
      lists = lists.map((list) => (list.state === 'finished' ? start('greedy', '/api/v1/pods') : list));
      const polite = Array.from({ length: 4 }, () => start('polite', '/api/v1/namespaces/n/configmaps/c'));
      for (const ticket of polite) {
        if (ticket.state === 'waiting') waited += 1;
        else served += 1;
      }
      for (const ticket of polite) if (ticket.state === 'executing') control.finish(ticket);
    }
    expect({ waited, served }).toEqual({ waited: 0, served: 24_000 });
    expect(lists.filter(({ state }) => state === 'refused')).toEqual([]);
  });

  it('gets all seats but some while nobody else needs them', () => {
    const { control } = flowControl({ objects: () => 0 });
    const { context } = request('GET', '/api/v1/pods');
    context.user = user('greedy', AUTHENTICATED);
    const flow = control.flowOf(context);
    const tickets = Array.from({ length: 200 }, () => control.start(context, flow));
    const executing = tickets.filter(({ state }) => state === 'executing').length;
    expect(executing).toBe(flow.level.current - Math.floor(flow.level.current / 10));
  });
});
