import { describe, expect, it } from 'vitest';
import { WorkQueue, type WorkResult } from '../../src/reconcile/work-queue.ts';
import { bothClocks } from '../support/both-clocks.ts';
import { ManualClock, settle } from './manual-clock.ts';

function queueOf(work: (key: string) => Promise<WorkResult>, workers = 2) {
  const clock = new ManualClock();
  const errors: string[] = [];
  return {
    clock,
    errors,
    queue: new WorkQueue({
      work,
      ...bothClocks(clock),
      workers,
      onError: (key, error) => errors.push(`${key}: ${(error as Error).message}`),
    }),
  };
}

describe('WorkQueue', () => {
  it('processes a key once when it was added repeatedly before the start', async () => {
    const seen: string[] = [];
    const { queue } = queueOf(async (key) => {
      seen.push(key);
      return 'done';
    });
    for (const key of ['a', 'b', 'a', 'a']) queue.add(key);
    await settle();
    expect(seen).toEqual([]);
    queue.start();
    await settle();
    expect(seen).toEqual(['a', 'b']);
  });

  it('is idle when nothing waits, is in process or is tried again soon', async () => {
    let result: WorkResult = 'requeue';
    const { queue, clock } = queueOf(async () => result);
    queue.start();
    expect(queue.isIdle).toBe(true);
    queue.add('a');
    expect(queue.isIdle).toBe(false);
    await settle();
    expect(queue.isIdle).toBe(false);
    for (let attempt = 0; attempt < 12; attempt += 1) {
      clock.advance(60_000);
      await settle();
    }
    expect(queue.isIdle).toBe(true);
    result = 'done';
    queue.add('a');
    await settle();
    expect(queue.isIdle).toBe(true);
  });

  it('requeues a key added during processing, without concurrent processing, within the worker limit', async () => {
    const going: { key: string; end: () => void }[] = [];
    const { queue } = queueOf(
      (key) => new Promise((resolve) => going.push({ key, end: () => resolve('done') })),
    );
    queue.start();
    for (const key of ['a', 'b', 'c']) queue.add(key);
    await settle();
    expect(going.map(({ key }) => key)).toEqual(['a', 'b']);
    queue.add('a');
    await settle();
    expect(going.length).toBe(2);
    going[0]!.end();
    await settle();
    expect(going.map(({ key }) => key)).toEqual(['a', 'b', 'c']);
    going[1]!.end();
    await settle();
    expect(going.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'a']);
  });

  it('retries with exponential back-off and resets it after success', async () => {
    let attempts = 0;
    let broken = true;
    const { queue, clock, errors } = queueOf(async () => {
      attempts += 1;
      if (broken) throw new Error('no');
      return 'done';
    });
    queue.start();
    queue.add('a');
    for (const delay of [5, 10, 20]) {
      await settle();
      const before = attempts;
      clock.advance(delay - 1);
      await settle();
      expect(attempts).toBe(before);
      clock.advance(1);
      await settle();
      expect(attempts).toBe(before + 1);
    }
    expect(errors).toEqual(Array(4).fill('a: no'));
    broken = false;
    clock.advance(40);
    await settle();
    expect(clock.waiting).toBe(0);
    broken = true;
    queue.add('a');
    await settle();
    const before = attempts;
    clock.advance(5);
    await settle();
    expect(attempts).toBe(before + 1);
  });

  it('caps the back-off at ten seconds and reports no error for requeues', async () => {
    let attempts = 0;
    const { queue, clock, errors } = queueOf(async () => {
      attempts += 1;
      return 'requeue';
    });
    queue.start();
    queue.add('a');
    await settle();
    for (let turn = 1; turn <= 20; turn += 1) {
      clock.advance(10_000);
      await settle();
      expect(attempts).toBe(turn + 1);
    }
    expect(errors).toEqual([]);
  });

  it('drains in-flight work on stop and starts nothing more', async () => {
    const going: (() => void)[] = [];
    const { queue, clock } = queueOf(() => new Promise((resolve) => going.push(() => resolve('requeue'))), 1);
    queue.start();
    queue.add('a');
    queue.add('b');
    await settle();
    let stopped = false;
    const ended = queue.stop().then(() => {
      stopped = true;
    });
    await settle();
    expect(stopped).toBe(false);
    going[0]!();
    await ended;
    queue.start();
    queue.add('c');
    await settle();
    expect(going.length).toBe(1);
    expect(clock.waiting).toBe(0);
  });

  it('adds a key at the earliest of its times, and holds no timer afterwards', async () => {
    const seen: number[] = [];
    const { queue, clock } = queueOf(async () => {
      seen.push(clock.now());
      return 'done';
    });
    queue.start();
    queue.addAfter('a', 500);
    queue.addAfter('a', 900);
    queue.addAfter('a', 200);
    queue.addAfter('a', 300);
    expect(clock.waiting).toBe(1);
    expect(queue.isIdle).toBe(true);
    clock.advance(199);
    await settle();
    expect(seen).toEqual([]);
    for (let step = 0; step < 10; step += 1) {
      clock.advance(100);
      await settle();
    }
    expect(seen).toEqual([299]);
    expect(clock.waiting).toBe(0);
  });

  it('adds a key at once that is due, and looks at a far one after a day', async () => {
    const seen: string[] = [];
    const { queue, clock } = queueOf(async (key) => {
      seen.push(key);
      return 'done';
    });
    queue.start();
    queue.addAfter('due', 0);
    queue.addAfter('far', 1e12);
    await settle();
    expect(seen).toEqual(['due']);
    clock.advance(86_400_000);
    await settle();
    expect(seen).toEqual(['due', 'far']);
  });

  it('ends its timers and observers on stop', async () => {
    const clock = new ManualClock();
    const followed = new Set<() => boolean>();
    const queue = new WorkQueue({
      work: async () => 'done',
      ...bothClocks(clock),
      workers: 1,
      onError: () => undefined,
      observer: {
        depth: () => undefined,
        added: () => undefined,
        retried: () => undefined,
        waited: () => undefined,
        worked: () => undefined,
        idle(isIdle) {
          followed.add(isIdle);
          return () => void followed.delete(isIdle);
        },
      },
    });
    queue.addAfter('a', 1000);
    expect(followed.size).toBe(1);
    await queue.stop();
    queue.addAfter('b', 1000);
    expect(clock.waiting).toBe(0);
    expect(followed.size).toBe(0);
  });

  it('processes a key at an even pace after a burst, and others meanwhile', async () => {
    const clock = new ManualClock();
    const seen = { a: 0, b: 0 };
    const queue: WorkQueue = new WorkQueue({
      work: async (key) => {
        seen[key as 'a' | 'b'] += 1;
        // Somebody undoes what it does.
        if (key === 'a') queue.add(key);
        return 'done';
      },
      ...bothClocks(clock),
      workers: 1,
      pace: { burst: 5, interval: 100 },
      onError: () => undefined,
    });
    queue.start();
    queue.add('a');
    await settle();
    expect(seen.a).toBe(5);
    queue.add('b');
    await settle();
    expect(seen.b).toBe(1);
    for (let step = 0; step < 20; step += 1) {
      clock.advance(50);
      await settle();
    }
    expect(seen.a).toBe(15);
    expect(clock.waiting).toBe(1);
  });
});
