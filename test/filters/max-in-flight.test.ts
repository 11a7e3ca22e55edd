import { describe, expect, it } from 'vitest';
import { maxInFlightFilter } from '../../src/filters/max-in-flight.ts';
import type { RequestContext } from '../../src/request/context.ts';
import { NO_EXTRA } from '../../src/request/user.ts';
import { request, textOf } from './context.ts';

const CONFIG_MAPS = '/api/v1/namespaces/n/configmaps';

/** A filter whose handlers respond when `finish` is called. */
function limited(limits: { readOnly: number; mutating: number }) {
  const filter = maxInFlightFilter(limits);
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
