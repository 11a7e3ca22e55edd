import { describe, expect, it } from 'vitest';
import { LoopScheduler, TurnGroup } from '../../src/steps/loop-scheduler.ts';
import type { LoopTurns } from '../../src/steps/turns.ts';

/** A scheduler whose iterations and time a test drives. */
function manual() {
  let time = 0;
  const pending: (() => void)[] = [];
  const ends: (() => void)[] = [];
  const scheduler = new LoopScheduler({
    monotonic: () => time,
    soon: (callback) => void pending.push(callback),
    afterMicrotasks: (callback) => void ends.push(callback),
  });
  return {
    scheduler,
    pass(milliseconds: number): void {
      time += milliseconds;
    },
    get scheduled(): number {
      return pending.length;
    },
    /** One iteration of the event loop with at most one turn. */
    async iterate(): Promise<void> {
      for (const callback of pending.splice(0)) callback();
      // The work of the turn, which may be several promises deep.
      for (let depth = 0; depth < 10; depth += 1) await undefined;
      for (const callback of ends.splice(0)) callback();
    },
  };
}

const group = (weight = 1): TurnGroup => new TurnGroup(() => weight);

describe('LoopScheduler', () => {
  it('gives one turn per iteration, and continues work before it begins other work of the flow', async () => {
    const { scheduler, iterate } = manual();
    const flow = scheduler.flow(group());
    const order: string[] = [];
    const wait = async (name: string, started: boolean): Promise<void> => {
      await flow.next(started);
      order.push(name);
    };
    void wait('new 1', false);
    void wait('started 1', true);
    void wait('new 2', false);
    void wait('started 2', true);
    const expected = ['started 1', 'started 2', 'new 1', 'new 2'];
    for (let turn = 1; turn <= expected.length; turn += 1) {
      await iterate();
      expect(order).toEqual(expected.slice(0, turn));
    }
  });

  it('has nothing scheduled without waiting work', async () => {
    const { scheduler, iterate, ...state } = manual();
    expect(state.scheduled).toBe(0);
    void scheduler.own.next();
    await iterate();
    await iterate();
    expect(state.scheduled).toBe(0);
  });

  it('lets work go on within its turn, for a millisecond', async () => {
    const { scheduler, iterate, pass } = manual();
    const flow = scheduler.flow(group());
    const other = scheduler.flow(group());
    const seen: unknown[] = [];
    void flow.next().then(() => {
      seen.push(flow.pause(), flow.isOver);
      seen.push(other.pause() instanceof Promise, other.isOver);
      pass(1);
      seen.push(flow.isOver, flow.pause() instanceof Promise);
    });
    expect(flow.pause()).toBeInstanceOf(Promise);
    await iterate();
    expect(seen).toEqual([undefined, false, true, false, true, true]);
  });

  /** Keeps a number of requests of a flow running; each turn takes some milliseconds. */
  function load(flow: LoopTurns, requests: number, milliseconds: () => number, took: (time: number) => void) {
    for (let request = 0; request < requests; request += 1)
      void (async () => {
        for (;;) {
          await flow.next();
          took(milliseconds());
        }
      })();
  }

  async function shares(
    flows: readonly { weight: number; requests: number; milliseconds: number; group?: TurnGroup }[],
  ): Promise<number[]> {
    const { scheduler, iterate, pass } = manual();
    const taken = flows.map(() => 0);
    for (const [index, { weight, requests, milliseconds, group: shared = group(weight) }] of flows.entries())
      load(
        scheduler.flow(shared),
        requests,
        () => milliseconds,
        (time) => {
          taken[index]! += time;
          pass(time);
        },
      );
    for (let turn = 0; turn < 3000; turn += 1) await iterate();
    const total = taken.reduce((sum, time) => sum + time, 0);
    return taken.map((time) => Math.round((100 * time) / total));
  }

  it('shares time by flow, however many requests a flow has and however long its steps are', async () => {
    expect(
      await shares([
        { weight: 1, requests: 64, milliseconds: 1 },
        { weight: 1, requests: 1, milliseconds: 1 },
      ]),
    ).toEqual([50, 50]);
    const [long, short] = await shares([
      { weight: 1, requests: 8, milliseconds: 20 },
      { weight: 1, requests: 1, milliseconds: 1 },
    ]);
    expect(Math.abs(long! - short!)).toBeLessThanOrEqual(4);
  });

  it('weighs flows by their group, and divides the weight of a group among its flows', async () => {
    expect(
      await shares([
        { weight: 3, requests: 2, milliseconds: 1 },
        { weight: 1, requests: 2, milliseconds: 1 },
      ]),
    ).toEqual([75, 25]);
    const one = group(4);
    expect(
      await shares([
        { weight: 4, requests: 1, milliseconds: 1, group: one },
        { weight: 4, requests: 1, milliseconds: 1, group: one },
        { weight: 4, requests: 1, milliseconds: 1 },
      ]),
    ).toEqual([25, 25, 50]);
  });

  it('gives no credit for idle time, and lets a flow that comes back begin at once', async () => {
    const { scheduler, iterate, pass } = manual();
    const busy = scheduler.flow(group());
    const rare = scheduler.flow(group());
    const order: string[] = [];
    load(
      busy,
      4,
      () => 5,
      (time) => {
        order.push('busy');
        pass(time);
      },
    );
    for (let turn = 0; turn < 50; turn += 1) await iterate();
    order.length = 0;
    load(
      rare,
      1,
      () => 5,
      (time) => {
        order.push('rare');
        pass(time);
      },
    );
    for (let turn = 0; turn < 10; turn += 1) await iterate();
    expect(order.slice(0, 2)).toContain('rare');
    expect(order.filter((name) => name === 'rare')).toHaveLength(5);
  });

  it('leaves the event loop to others between two turns', async () => {
    const { own } = new LoopScheduler();
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
        await own.next(false);
        seen.push(loops);
        await own.next();
        seen.push(loops);
      }),
    );
    running = false;
    expect(new Set(seen).size).toBe(seen.length);
  });
});
