import { describe, expect, it } from 'vitest';
import { maxInFlightFilter } from '../../src/filters/max-in-flight.ts';
import { createServerMetrics } from '../../src/observability/metrics-catalog.ts';
import { exposition } from '../../src/observability/metrics-exposition.ts';
import type { RequestContext } from '../../src/request/context.ts';
import { NO_EXTRA } from '../../src/request/user.ts';
import { request, textOf } from './context.ts';

const CONFIG_MAPS = '/api/v1/namespaces/n/configmaps';

/** A filter whose handlers respond when `finish` is called. */
function limited(limits: { readOnly: number; mutating: number }) {
  const metrics = createServerMetrics();
  const filter = maxInFlightFilter(limits, metrics.flowControl);
  const waiting: (() => void)[] = [];
  const send = (method: string, target: string, groups: string[] = []) => {
    const { context, response } = request(method, target);
    context.user = { name: 'ivy', uid: '', groups, extra: NO_EXTRA };
    const done = filter(
      context,
      ({ exchange }: RequestContext) =>
        new Promise<void>((resolve) => {
          waiting.push(() => {
            exchange.respond(200, 'text/plain', 'ok');
            resolve();
          });
        }),
    );
    return { done, response, status: async () => (await response).status };
  };
  return {
    send,
    metrics: () => exposition(metrics.registry),
    finish: () => {
      for (const answer of waiting.splice(0)) answer();
    },
  };
}

describe('max-in-flight filter', () => {
  it('rejects requests above the limit of their kind with 429 and Retry-After', async () => {
    const { send, finish } = limited({ readOnly: 1, mutating: 1 });
    const reading = send('GET', CONFIG_MAPS);
    const writing = send('POST', CONFIG_MAPS);
    const refused = await send('GET', CONFIG_MAPS).response;
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
    expect(await textOf(refused)).toBe('Too many requests, please try again later.\n');
    expect(await send('DELETE', `${CONFIG_MAPS}/a`).status()).toBe(429);
    finish();
    await reading.done;
    await writing.done;
    const next = send('GET', CONFIG_MAPS);
    finish();
    expect(await next.status()).toBe(200);
  });

  it('records the part of each limit that is in use', async () => {
    const { send, finish, metrics } = limited({ readOnly: 4, mutating: 2 });
    const nanoseconds = async () => {
      const text = await metrics();
      const until = (kind: string, most: string): number => {
        const labels = `phase="executing",request_kind="${kind}",le="${most}"`;
        const name = `apiserver_flowcontrol_read_vs_write_current_requests_bucket{${labels}} `;
        const line = text.split('\n').find((one) => one.startsWith(name));
        return Number(line?.slice(name.length));
      };
      return {
        below: until('mutating', '0.4'),
        half: until('mutating', '0.5'),
        unused: until('readOnly', '0'),
        all: until('readOnly', '1'),
      };
    };
    const passMilliseconds = (): void => {
      const end = performance.now() + 2;
      while (performance.now() < end);
    };
    passMilliseconds();
    send('POST', CONFIG_MAPS);
    const first = await nanoseconds();
    passMilliseconds();
    const second = await nanoseconds();
    expect(first.below).toBeGreaterThanOrEqual(2e6);
    expect(second.below).toBe(first.below);
    expect(second.half - first.half).toBeGreaterThanOrEqual(2e6);
    expect(second.unused).toBe(second.all);
    finish();
  });

  it('does not count a request that failed', async () => {
    const filter = maxInFlightFilter({ readOnly: 1, mutating: 1 }, createServerMetrics().flowControl);
    const failed = request('GET', CONFIG_MAPS);
    expect(() =>
      filter(failed.context, () => {
        throw new Error('at once');
      }),
    ).toThrow('at once');
    const rejected = request('GET', CONFIG_MAPS);
    await expect(filter(rejected.context, () => Promise.reject(new Error('late')))).rejects.toThrow('late');
    const { context, response } = request('GET', CONFIG_MAPS);
    await filter(context, ({ exchange }) => exchange.respond(200, 'text/plain', 'ok'));
    expect((await response).status).toBe(200);
  });

  it('exempts long-running requests and system:masters', async () => {
    const { send, finish } = limited({ readOnly: 1, mutating: 1 });
    send('GET', CONFIG_MAPS);
    const others = [send('GET', `${CONFIG_MAPS}?watch=1`), send('GET', CONFIG_MAPS, ['system:masters'])];
    finish();
    expect(await Promise.all(others.map((other) => other.status()))).toEqual([200, 200]);
  });

  it('has no limit if the flag is 0', async () => {
    const { send, finish } = limited({ readOnly: 0, mutating: 1 });
    const all = Array.from({ length: 20 }, () => send('GET', CONFIG_MAPS));
    finish();
    expect(new Set(await Promise.all(all.map((one) => one.status())))).toEqual(new Set([200]));
  });
});
