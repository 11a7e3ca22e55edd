import { describe, expect, it } from 'vitest';
import {
  type Turn,
  type Waiting,
  WriterQueue,
  type WriterQueueOptions,
} from '../../src/operations/writer-queue.ts';
import type { ProcessClock } from '../../src/time/clock.ts';

/** A clock that only moves when it is advanced. */
function handClock() {
  let time = 0;
  let timers: { at: number; callback: () => void }[] = [];
  const later: (() => void)[] = [];
  const clock: Pick<ProcessClock, 'monotonic' | 'after' | 'soon'> = {
    monotonic: () => time,
    after: (milliseconds, callback) => {
      const timer = { at: time + milliseconds, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
    soon: (callback) => void later.push(callback),
  };
  return {
    clock,
    advance(milliseconds: number) {
      time += milliseconds;
      const due = timers.filter(({ at }) => at <= time);
      timers = timers.filter(({ at }) => at > time);
      for (const { callback } of due) callback();
    },
    runSoon: () => later.splice(0).forEach((callback) => void callback()),
    get timers() {
      return timers.length;
    },
  };
}

const queueOf = (options: WriterQueueOptions = {}) =>
  new WriterQueue<string>({ clock: handClock().clock, ...options });

function client(deadline = Number.POSITIVE_INFINITY) {
  let gone = false;
  const callbacks: (() => void)[] = [];
  const waiting: Waiting = {
    deadline,
    gone: () => gone,
    onGone: (callback) => void callbacks.push(callback),
  };
  return {
    waiting,
    leave() {
      gone = true;
      for (const callback of callbacks) callback();
    },
  };
}

/** Records the holders of turns in order. */
function observe(
  names: string[],
  turns: Map<string, Turn<string>>,
  name: string,
  taking: Promise<Turn<string>>,
): Promise<void> {
  return taking.then((turn) => {
    names.push(name);
    turns.set(name, turn);
  });
}

const settle = async () => {
  for (let step = 0; step < 10; step += 1) await Promise.resolve();
};

describe('WriterQueue', () => {
  it('serves writers of a key in arrival order', async () => {
    const queue = queueOf();
    const order: string[] = [];
    const turns = new Map<string, Turn<string>>();
    for (const name of ['a', 'b', 'c']) void observe(order, turns, name, queue.take('k', client().waiting));
    await settle();
    expect([order, queue.waiting]).toEqual([['a'], 2]);
    turns.get('a')!.end();
    await settle();
    expect(order).toEqual(['a', 'b']);
    turns.get('a')!.end();
    await settle();
    expect(order, 'a turn ends once').toEqual(['a', 'b']);
    turns.get('b')!.end();
    await settle();
    turns.get('c')!.end();
    expect([order, queue.waiting, queue.keys]).toEqual([['a', 'b', 'c'], 0, 0]);
  });

  it('does not block writers of another key', async () => {
    const queue = queueOf();
    await queue.take('k', client().waiting);
    expect((await queue.take('l', client().waiting)).held).toBe(true);
  });

  it('passes the stored state to the next writer, also after one that stored nothing', async () => {
    const queue = queueOf();
    const first = await queue.take('k', client().waiting);
    const second = queue.take('k', client().waiting);
    const third = queue.take('k', client().waiting);
    expect(first.latest).toBeUndefined();
    first.end('one');
    expect((await second).latest).toBe('one');
    (await second).end();
    expect((await third).latest).toBe('one');
    (await third).end('three');
    expect(
      (await queue.take('k', client().waiting)).latest,
      'no state is kept without waiters',
    ).toBeUndefined();
  });

  it('reserves the key for a writer that lost during its turn, until the turn ends', async () => {
    const queue = queueOf();
    const turn = await queue.take('k', client().waiting);
    expect(queue.isReserved('k')).toBe(false);
    turn.reserve();
    expect([queue.isReserved('k'), queue.isReserved('l')]).toEqual([true, false]);
    const next = queue.take('k', client().waiting);
    turn.end();
    await next;
    expect(queue.isReserved('k')).toBe(false);
    turn.reserve();
    expect(queue.isReserved('k'), 'by a turn that is over').toBe(false);
  });

  it('rejects a writer past its deadline or with a disconnected client', async () => {
    const queue = queueOf();
    await expect(queue.take('k', client(0).waiting)).rejects.toMatchObject({ code: 504, reason: 'Timeout' });
    const left = client();
    left.leave();
    await expect(queue.take('k', left.waiting)).rejects.toMatchObject({ code: 504 });
    expect(queue.keys).toBe(0);
  });

  it('rejects a waiter with 504 at its deadline, and continues with the next one', async () => {
    const { clock, advance } = handClock();
    const queue = queueOf({ clock });
    const first = await queue.take('k', client().waiting);
    const late = queue.take('k', client(1000).waiting);
    const patient = queue.take('k', client(3000).waiting);
    const refused = expect(late).rejects.toMatchObject({ code: 504 });
    advance(1000);
    await refused;
    expect(queue.waiting).toBe(1);
    first.end();
    expect((await patient).held).toBe(true);
  });

  it('removes a waiter whose client disconnected, and its timer', async () => {
    const time = handClock();
    const queue = queueOf({ clock: time.clock });
    const first = await queue.take('k', client().waiting);
    const leaver = client(1000);
    const left = expect(queue.take('k', leaver.waiting)).rejects.toMatchObject({ code: 504 });
    const next = queue.take('k', client(2000).waiting);
    leaver.leave();
    await left;
    expect([queue.waiting, time.timers]).toEqual([1, 1]);
    first.end();
    await next;
    expect([queue.waiting, time.timers]).toEqual([0, 0]);
  });

  it.each([
    ['a key', { perKey: 2, total: 10 }, 'k'],
    ['all keys', { perKey: 10, total: 2 }, 'l'],
  ])('responds 429 with Retry-After if too many wait for %s', async (_, options, key) => {
    const queue = queueOf(options);
    const first = await queue.take('k', client().waiting);
    const held = await queue.take('l', client().waiting);
    const waiting = [queue.take('k', client().waiting), queue.take('k', client().waiting)];
    await expect(queue.take(key, client().waiting)).rejects.toMatchObject({
      code: 429,
      details: { retryAfterSeconds: 1 },
    });
    held.end();
    first.end();
    (await waiting[0])!.end();
    await waiting[1];
    expect((await queue.take('l', client().waiting)).held).toBe(true);
  });

  it('yields to the event loop between many turns', async () => {
    const time = handClock();
    const queue = queueOf({ clock: time.clock });
    let done = 0;
    const write = async () => {
      const turn = await queue.take('k', client().waiting);
      done += 1;
      turn.end();
    };
    const first = await queue.take('k', client().waiting);
    const writers = Array.from({ length: 40 }, write);
    first.end();
    const seen: number[] = [];
    while (done < 40) {
      for (let step = 0; step < 200; step += 1) await Promise.resolve();
      seen.push(done);
      time.runSoon();
    }
    await Promise.all(writers);
    expect(seen.map((count, index) => count - (seen[index - 1] ?? 0)).every((count) => count <= 16)).toBe(
      true,
    );
    expect(seen.length).toBeGreaterThan(2);
  });

  it('does not pause past the deadline', async () => {
    const { clock, advance } = handClock();
    const queue = queueOf({ clock });
    let ended = false;
    const short = queue.pause(10, client(1000).waiting).then(() => {
      ended = true;
    });
    const long = expect(queue.pause(5000, client(1000).waiting)).rejects.toMatchObject({ code: 504 });
    advance(10);
    await short;
    expect(ended).toBe(true);
    advance(990);
    await long;
  });

  it('property: one turn at a time, in FIFO order, and every waiter is served', async () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const random = generator(seed);
      const time = handClock();
      const queue = queueOf({ clock: time.clock, perKey: 5, total: 8 });
      const turns = new Map<number, { turn: Turn<string>; key: string }>();
      const clients = new Map<number, { key: string; leave(): void }>();
      const outcome = new Map<number, 'turn' | 'refused'>();
      const arrivals = new Map<string, number[]>();
      for (let id = 0; id < 60; id += 1) {
        const key = `k${Math.floor(random() * 3)}`;
        const one = client(random() < 0.3 ? time.clock.monotonic() + Math.floor(random() * 50) : undefined);
        clients.set(id, { key, leave: one.leave });
        arrivals.set(key, [...(arrivals.get(key) ?? []), id]);
        queue.take(key, one.waiting).then(
          (turn) => {
            outcome.set(id, 'turn');
            expect(
              [...turns.values()].filter(({ key: held, turn: { held: is } }) => held === key && is),
            ).toEqual([]);
            const earlier = arrivals.get(key)!.filter((other) => other < id && !outcome.has(other));
            expect(earlier).toEqual([]);
            turns.set(id, { turn, key });
          },
          () => outcome.set(id, 'refused'),
        );
        await settle();
        if (random() < 0.5) [...turns.values()].find(({ turn }) => turn.held)?.turn.end();
        if (random() < 0.2) clients.get(Math.floor(random() * (id + 1)))!.leave();
        if (random() < 0.3) time.advance(Math.floor(random() * 20));
        time.runSoon();
        await settle();
        expect(queue.waiting).toBeLessThanOrEqual(8);
      }
      for (let round = 0; round < 200 && queue.keys > 0; round += 1) {
        for (const { turn } of turns.values()) turn.end();
        time.runSoon();
        await settle();
      }
      expect([outcome.size, queue.waiting, queue.keys]).toEqual([60, 0, 0]);
    }
  });
});

/** A deterministic sequence of numbers. */
function generator(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_507) + 0x9e3779b9) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}
