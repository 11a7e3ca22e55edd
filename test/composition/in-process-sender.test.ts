import { describe, expect, it } from 'vitest';
import { Activity } from '../../src/composition/activity.ts';
import { inProcessSender } from '../../src/composition/in-process-sender.ts';
import type { Exchange } from '../../src/connection/exchange.ts';
import { createServerMetrics } from '../../src/observability/metrics-catalog.ts';
import { LoopScheduler } from '../../src/steps/loop-scheduler.ts';

const USER = { name: 'controller', uid: '', groups: [], extra: new Map() };

describe('requests of the own parts of clusters', () => {
  it('take turns: one cluster with many does not delay another one, nor the event loop', async () => {
    // Each request takes a millisecond.
    let time = 0;
    const loop = new LoopScheduler({
      monotonic: () => time,
      soon: (callback) => void setImmediate(callback),
      afterMicrotasks: (callback) => queueMicrotask(() => process.nextTick(callback)),
    });
    const handled: string[] = [];
    const senderOf = (cluster: string) =>
      inProcessSender({
        handle: (exchange: Exchange) => {
          time += 1;
          handled.push(`${cluster}${exchange.target}`);
          exchange.respond(200, 'text/plain', '');
        },
        identities: new WeakMap(),
        metrics: createServerMetrics(),
        turns: loop.ownFlow(),
        activity: new Activity(),
      })(USER);
    const [busy, calm] = [senderOf('busy'), senderOf('calm')];
    const request = (target: string) => ({ method: 'GET', target, headers: {} });
    const storm = Array.from({ length: 100 }, (_, index) => busy(request(`/${index}`)));
    await calm(request('/'));
    expect(handled.length).toBeLessThan(10);
    await new Promise((resolve) => setImmediate(resolve));
    expect(handled.length).toBeLessThan(20);
    await Promise.all(storm);
    expect(handled.filter((target) => target.startsWith('busy'))).toEqual(
      Array.from({ length: 100 }, (_, index) => `busy/${index}`),
    );
  });
});
