import { describe, expect, it } from 'vitest';
import type { Resource } from '../../src/reconcile/client.ts';
import { LazyController } from '../../src/reconcile/lazy-controller.ts';
import { PODS } from '../../src/reconcile/resources.ts';
import { WorkQueue } from '../../src/reconcile/work-queue.ts';
import { FakeClock } from '../storage/fake-clock.ts';
import { bothClocks } from '../support/both-clocks.ts';
import { settle } from './manual-clock.ts';

/** A controller for Pods, and the Pods that are stored. */
function fixture(wakesFor: readonly Resource[] = [PODS]) {
  const clock = new FakeClock();
  const state = { created: 0, running: 0, isStored: false, waiting: new Set<() => void>() };
  let removed = (): void => undefined;
  let synced = (): void => undefined;
  const controller = new LazyController({
    wakesFor,
    clock,
    presence: {
      hasAny: async () => state.isStored,
      whenAny(_resource, listener) {
        state.waiting.add(listener);
        return () => void state.waiting.delete(listener);
      },
    },
    create(onRemoved) {
      removed = onRemoved;
      state.created += 1;
      const source = {
        start() {
          state.running += 1;
        },
        synced: new Promise<void>((resolve) => {
          synced = resolve;
        }),
        async stop() {
          state.running -= 1;
        },
      };
      const queue = new WorkQueue({
        work: async () => 'done',
        ...bothClocks(clock),
        workers: 1,
        onError: () => undefined,
      });
      return { name: 'test', sources: [source], queue };
    },
    onError: (error) => {
      throw error;
    },
  });
  return {
    clock,
    state,
    controller,
    async store() {
      state.isStored = true;
      for (const listener of [...state.waiting]) listener();
      await settle();
      synced();
      await settle();
    },
    async remove(isLast = true) {
      state.isStored = !isLast;
      removed();
      await settle();
    },
    async pass(milliseconds: number) {
      clock.advance(milliseconds);
      await settle();
    },
  };
}

describe('a lazy controller', () => {
  it('is created with the first object, and is at work until its sources know all of them', async () => {
    const { controller, state, store } = fixture();
    controller.start();
    await settle();
    expect([state.created, controller.isSettled]).toEqual([0, true]);
    for (const listener of [...state.waiting]) listener();
    expect(controller.isSettled).toBe(false);
    await settle();
    expect([state.created, state.running, controller.isSettled]).toEqual([1, 1, false]);
    await store();
    expect([state.created, controller.isSettled]).toEqual([1, true]);
    await controller.stop();
    expect([state.running, state.waiting.size]).toEqual([0, 0]);
  });

  it('ends half a minute after the last object has gone, and wakes again', async () => {
    const { controller, state, store, remove, pass } = fixture();
    controller.start();
    await store();
    await remove();
    await pass(29_000);
    expect(state.running).toBe(1);
    await pass(1000);
    expect([state.running, state.waiting.size]).toEqual([0, 1]);
    await store();
    expect([state.created, state.running]).toEqual([2, 1]);
  });

  it('stays while objects are left', async () => {
    const { controller, state, store, remove, pass } = fixture();
    controller.start();
    await store();
    await remove(false);
    await pass(60_000);
    expect(state.running).toBe(1);
    await remove(true);
    await pass(60_000);
    expect(state.running).toBe(0);
  });

  it('runs always if it wakes for nothing, and starts again after a stop', async () => {
    const { controller, state } = fixture([]);
    controller.start();
    await settle();
    expect(state.running).toBe(1);
    await controller.stop();
    expect(state.running).toBe(0);
    controller.start();
    await settle();
    expect([state.created, state.running]).toEqual([2, 1]);
  });

  it('does not wait for a source that cannot be read', async () => {
    const { controller, state } = fixture();
    controller.start();
    for (const listener of [...state.waiting]) listener();
    await settle();
    expect(controller.isSettled).toBe(false);
    controller.failed();
    expect(controller.isSettled).toBe(true);
  });
});
