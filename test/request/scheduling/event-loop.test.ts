import { describe, expect, it } from 'vitest';
import {
  EventLoopScheduler,
  recordRequestSize,
  waitIfLarge,
  yieldIfLarge,
} from '../../../src/request/scheduling/event-loop.ts';

const large = 1 << 20;

describe('EventLoopScheduler', () => {
  it('does not make small requests wait', () => {
    expect(waitIfLarge({ workingSetBytes: 1000 })).toBeUndefined();
    expect(yieldIfLarge({ workingSetBytes: 1000 })).toBeUndefined();
  });

  it('uses the largest size that a request recorded', () => {
    const request = { workingSetBytes: 0 };
    recordRequestSize(request, large);
    recordRequestSize(request, 10);
    expect(request.workingSetBytes).toBe(large);
    expect(yieldIfLarge(request)).toBeInstanceOf(Promise);
  });

  it('runs started requests first, in arrival order', async () => {
    const scheduler = new EventLoopScheduler();
    const order: string[] = [];
    const wait = async (name: string, started: boolean): Promise<void> => {
      await scheduler.waitForTurn(started);
      order.push(name);
    };
    await Promise.all([
      wait('new 1', false),
      wait('started 1', true),
      wait('new 2', false),
      wait('started 2', true),
    ]);
    expect(order).toEqual(['started 1', 'started 2', 'new 1', 'new 2']);
  });

  it('continues a started request before it starts another', async () => {
    const scheduler = new EventLoopScheduler();
    const order: string[] = [];
    const work = async (name: string): Promise<void> => {
      await scheduler.waitForTurn(false);
      order.push(`${name} starts`);
      await scheduler.waitForTurn(true);
      order.push(`${name} ends`);
    };
    await Promise.all([work('a'), work('b'), work('c')]);
    expect(order).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends']);
  });

  it('yields to the event loop between two steps', async () => {
    const scheduler = new EventLoopScheduler();
    let loops = 0;
    let running = true;
    const count = (): void => {
      loops += 1;
      if (running) setImmediate(count);
    };
    setImmediate(count);
    const seen: number[] = [];
    await Promise.all(
      Array.from({ length: 5 }, async () => {
        await scheduler.waitForTurn(false);
        seen.push(loops);
        await scheduler.waitForTurn(true);
        seen.push(loops);
      }),
    );
    running = false;
    expect(new Set(seen).size).toBe(seen.length);
  });
});
