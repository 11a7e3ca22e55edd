import { expect, test } from 'vitest';
import type { HttpExchange } from '../../src/connection/http-exchange.ts';
import { RequestTurns, type TurnTiming } from '../../src/connection/request-turns.ts';

/** Turns of an event loop in which only handled requests take time. */
class Loop implements TurnTiming {
  now = 0;
  readonly #soon: (() => void)[] = [];
  readonly #microtasks: (() => void)[] = [];

  monotonic(): number {
    return this.now;
  }

  soon(callback: () => void): void {
    this.#soon.push(callback);
  }

  afterMicrotasks(callback: () => void): void {
    this.#microtasks.push(callback);
  }

  /** Runs the next turn; false without one. */
  turn(): boolean {
    const callbacks = this.#soon.splice(0);
    for (const callback of callbacks) callback();
    while (this.#microtasks.length > 0) this.#microtasks.shift()!();
    return callbacks.length > 0;
  }
}

interface Setting {
  readonly loop: Loop;
  readonly handled: string[];
  begin(target: string, options?: { isPreferred?: boolean; closed?: boolean }): void;
}

/** @param cost milliseconds of each request */
function setting(cost: number, hasHandshakes = () => false): Setting {
  const loop = new Loop();
  const turns = new RequestTurns(hasHandshakes, loop);
  const handled: string[] = [];
  const handle = ({ target }: HttpExchange): void => {
    handled.push(target);
    loop.now += cost;
  };
  return {
    loop,
    handled,
    begin: (target, { isPreferred = false, closed = false } = {}) =>
      turns.begin({ target, closed, connection: { isPreferred, handle } } as unknown as HttpExchange),
  };
}

const PODS = '/api/v1/pods';
const LEASE = '/apis/coordination.k8s.io/v1/namespaces/a/leases/b';

test('requests that cost little begin at once', () => {
  const { handled, begin } = setting(0.01);
  for (let count = 0; count < 60; count += 1) begin(PODS);
  expect(handled).toHaveLength(60);
});

test('a burst begins in turns of a few milliseconds, and each request once', () => {
  const { loop, handled, begin } = setting(1);
  for (let count = 0; count < 500; count += 1) begin(`/${count}`);
  expect(handled.length).toBeLessThanOrEqual(16);
  let longest = 0;
  for (let before = loop.now; loop.turn(); before = loop.now) longest = Math.max(longest, loop.now - before);
  expect(longest).toBeLessThanOrEqual(10);
  expect(handled).toEqual(Array.from({ length: 500 }, (_, index) => `/${index}`));
});

test('turns are shorter while clients wait for a handshake', () => {
  let hasHandshakes = true;
  const { loop, handled, begin } = setting(1, () => hasHandshakes);
  for (let count = 0; count < 100; count += 1) begin(PODS);
  const inTurn = (): number => {
    const before = handled.length;
    loop.turn();
    return handled.length - before;
  };
  expect(inTurn()).toBe(2);
  hasHandshakes = false;
  expect(inTurn()).toBe(8);
});

test('Leases and health checks come first, then preferred clients, and none waits forever', () => {
  const { loop, handled, begin } = setting(1);
  for (let count = 0; count < 100; count += 1) begin(PODS);
  const begun = handled.length;
  for (let count = 0; count < 100; count += 1) begin('/preferred', { isPreferred: true });
  begin(LEASE);
  begin('/livez?verbose');
  loop.turn();
  const turn = handled.slice(begun);
  expect(turn.slice(0, 4)).toEqual(expect.arrayContaining([LEASE, '/livez?verbose']));
  expect(turn.filter((target) => target === '/preferred').length).toBeGreaterThan(3);
  expect(turn).toContain(PODS);
  while (loop.turn());
  expect(handled).toHaveLength(202);
});

test('requests that clients have given up are not handled', () => {
  const { loop, handled, begin } = setting(1);
  for (let count = 0; count < 20; count += 1) begin(PODS);
  const begun = handled.length;
  for (let count = 0; count < 1000; count += 1) begin('/reset', { closed: true });
  begin('/last');
  while (loop.turn());
  expect(handled.slice(begun)).not.toContain('/reset');
  expect(handled.at(-1)).toBe('/last');
});
