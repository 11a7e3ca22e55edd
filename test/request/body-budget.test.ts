import { expect, test, vi } from 'vitest';
import { BodyBudget } from '../../src/request/body-budget.ts';

const KB = 1024;
const budget = () => new BodyBudget({ perUser: 100 * KB, total: 250 * KB });

/** A body of a user with reserved bytes, and a spy on its refusal. */
function body(of: BodyBudget, user: string, bytes: number) {
  const account = of.open(user);
  const refused = vi.fn();
  account.onReclaimed(refused);
  return { account, refused, taken: account.reserve(bytes) };
}

test('limits the bytes of one user without affecting others', () => {
  const all = budget();
  const first = body(all, 'storm', 60 * KB);
  expect(first.taken).toBe(true);
  expect(body(all, 'storm', 60 * KB).taken).toBe(false);
  expect(body(all, 'other', 60 * KB).taken).toBe(true);
  expect(first.refused).not.toHaveBeenCalled();
  first.account.release();
  expect(body(all, 'storm', 60 * KB).taken).toBe(true);
  expect(all.used).toBe(120 * KB);
});

test('frees bytes of the heaviest user at the total limit, the longest stalled body first', () => {
  const all = budget();
  const [stale, fresh] = [body(all, 'a', 40 * KB), body(all, 'a', 45 * KB)];
  const second = body(all, 'b', 80 * KB);
  const third = body(all, 'c', 80 * KB);
  stale.account.reserve(0);
  expect(body(all, 'd', 10 * KB).taken).toBe(true);
  expect([stale, fresh, second, third].map(({ refused }) => refused.mock.calls.length)).toEqual([0, 1, 0, 0]);
  expect(all.used).toBe(210 * KB);
});

test('refuses the heaviest user itself, but not its complete bodies', () => {
  const all = budget();
  const complete = body(all, 'a', 90 * KB);
  complete.account.complete();
  body(all, 'b', 80 * KB);
  const small = body(all, 'c', 70 * KB);
  expect(body(all, 'c', 20 * KB).taken).toBe(true);
  expect(complete.refused).not.toHaveBeenCalled();
  expect(small.refused).not.toHaveBeenCalled();
  expect(body(all, 'c', 20 * KB).taken).toBe(false);
});

test('releases the bytes of closed bodies', () => {
  const all = budget();
  for (let index = 0; index < 1000; index++) {
    const { account } = body(all, `user-${index}`, KB);
    account.complete();
    account.release();
    account.release();
  }
  expect(all.used).toBe(0);
  expect(body(all, 'last', 100 * KB).taken).toBe(true);
});
