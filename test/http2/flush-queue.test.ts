import { afterEach, expect, it, vi } from 'vitest';
import { type Flushable, FlushQueue } from '../../src/http2/flush-queue.ts';

afterEach(() => vi.restoreAllMocks());

const nextIteration = () => new Promise((resolve) => setImmediate(resolve));

it('continues long responses after the others, for a millisecond per iteration, in turn', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const queue = new FlushQueue();
  const order: string[] = [];
  const session = (name: string, again = false): Flushable => {
    const self = {
      flush: () => order.push(name),
      flushBulk() {
        order.push(name);
        now += 0.6;
        if (again) queue.addBulk(self);
      },
    };
    return self;
  };
  queue.addBulk(session('long 1', true));
  queue.addBulk(session('long 2'));
  queue.addBulk(session('long 3'));
  queue.add(session('short 1'));
  await nextIteration();
  expect(order).toEqual(['short 1', 'long 1', 'long 2']);
  queue.add(session('short 2'));
  await nextIteration();
  expect(order.slice(3)).toEqual(['short 2', 'long 3', 'long 1']);
});
