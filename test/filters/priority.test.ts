import { describe, expect, it } from 'vitest';
import { priorityFilter } from '../../src/filters/priority.ts';
import type { Handler } from '../../src/request/context.ts';
import {
  ANYBODY,
  EVERY_RESOURCE,
  flowControl,
  level,
  queues,
  REJECT,
  schema,
  user,
} from '../flow-control/support.ts';
import { request, textOf } from './context.ts';

const EVERYTHING = { subjects: ANYBODY, resourceRules: EVERY_RESOURCE };
const answer: Handler = ({ exchange }) => exchange.respond(200, 'text/plain', 'ok');

function oneSeat(limitResponse: object) {
  const parts = flowControl({
    seats: 2,
    schemas: [schema('s', 1, EVERYTHING, 'l')],
    levels: [
      level('l', {
        nominalConcurrencyShares: 5,
        lendablePercent: 0,
        borrowingLimitPercent: 0,
        limitResponse,
      }),
    ],
  });
  return { ...parts, filter: priorityFilter(parts.control, 60_000) };
}

/** A handler that ends when the test says so. */
function held() {
  let release = (): void => {};
  const handler: Handler = async (context) => {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    await answer(context);
  };
  return { handler, release: () => release() };
}

const get = () => request('GET', '/api/v1/namespaces/default');

describe('the priority filter', () => {
  it('reports schema and level in the headers', async () => {
    const { control } = flowControl();
    const { context, response } = request('GET', '/healthz');
    context.user = user('system:anonymous', 'system:unauthenticated');
    await priorityFilter(control, 60_000)(context, answer);
    expect((await response).headers).toMatchObject({
      'x-kubernetes-pf-flowschema-uid': 'uid-of-probes',
      'x-kubernetes-pf-prioritylevel-uid': 'uid-of-exempt',
    });
  });

  it('refuses with 429 and Retry-After', async () => {
    const { filter } = oneSeat(REJECT);
    const { handler, release } = held();
    const first = filter(get().context, handler);
    const { context, response } = get();
    await filter(context, answer);
    const refusal = await response;
    expect([refusal.status, refusal.headers['retry-after']]).toEqual([429, '1']);
    expect(refusal.headers['x-kubernetes-pf-flowschema-uid']).toBe('uid-of-s');
    expect(await textOf(refusal)).toBe('Too many requests, please try again later.\n');
    release();
    await first;
  });

  it('lets a request wait for a quarter of its time', async () => {
    const { filter, clock } = oneSeat(queues(1, 1, 5));
    const { handler, release } = held();
    const first = filter(get().context, handler);
    const { context, response } = get();
    clock.time = context.arrived;
    context.deadline = context.arrived + 4000;
    const second = filter(context, answer);
    clock.advance(999);
    expect(context.exchange.responded).toBe(false);
    clock.advance(2);
    await second;
    expect((await response).status).toBe(429);
    release();
    await first;
  });

  it('serves a waiting request when a seat is free', async () => {
    const { filter } = oneSeat(queues(1, 1, 5));
    const { handler, release } = held();
    const first = filter(get().context, handler);
    const { context, response } = get();
    const second = filter(context, answer);
    expect(context.exchange.responded).toBe(false);
    release();
    await Promise.all([first, second]);
    expect((await response).status).toBe(200);
  });

  it('ends the wait of a client that is gone', async () => {
    const { filter, control } = oneSeat(queues(1, 1, 5));
    const { handler, release } = held();
    const first = filter(get().context, handler);
    const { context } = get();
    const second = filter(context, answer);
    expect(control.levels.get('l')!.queues.waiting).toBe(1);
    context.exchange.abort();
    await second;
    expect(control.levels.get('l')!.queues.waiting).toBe(0);
    release();
    await first;
  });

  it('frees the seat of a request that fails', async () => {
    const { filter, control } = oneSeat(REJECT);
    const { queues: set } = control.levels.get('l')!;
    await expect(filter(get().context, () => Promise.reject(new Error('late')))).rejects.toThrow('late');
    expect(() =>
      filter(get().context, () => {
        throw new Error('at once');
      }),
    ).toThrow('at once');
    expect(set.isIdle).toBe(true);
  });

  it('frees the seat of a watch once its initial events are sent', async () => {
    const { filter, control } = oneSeat(REJECT);
    const { handler, release } = held();
    const { context } = request('GET', '/api/v1/namespaces/default/pods?watch=1');
    const watch = filter(context, handler);
    const { queues: set } = control.levels.get('l')!;
    expect([
      set.executing,
      control.watches.concernedBy(request('POST', '/api/v1/namespaces/default/pods').context.info),
    ]).toEqual([1, 1]);
    context.watchInitialized?.();
    expect(set.executing).toBe(0);
    release();
    await watch;
    expect(control.watches.concernedBy(request('POST', '/api/v1/namespaces/default/pods').context.info)).toBe(
      0,
    );
  });

  it('does not concern long-running requests other than watches', async () => {
    const { filter, control } = oneSeat(REJECT);
    const { context, response } = request('GET', '/api/v1/namespaces/default/pods/p/log');
    await filter(context, (inner) => {
      expect(control.levels.get('l')!.queues.executing).toBe(0);
      return answer(inner);
    });
    expect((await response).headers).not.toHaveProperty('x-kubernetes-pf-flowschema-uid');
  });
});
