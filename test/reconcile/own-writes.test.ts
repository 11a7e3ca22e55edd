import { describe, expect, it } from 'vitest';
import { OwnWrites } from '../../src/reconcile/own-writes.ts';
import { ApiError } from '../../src/status/index.ts';

function fixture() {
  const state = { caughtUp: 0, fails: false };
  const writes = new OwnWrites([
    {
      async caughtUp() {
        if (state.fails) throw new Error('no store');
        state.caughtUp += 1;
      },
    },
  ]);
  const fail = (error: Error) =>
    expect(
      writes.follow('a', async () => {
        throw error;
      }),
    ).rejects.toBe(error);
  const succeed = (key = 'a') => writes.follow(key, async () => 'done');
  return { state, fail, succeed };
}

describe('own writes', () => {
  it('catch up after a write whose outcome is unknown, once, and for its key only', async () => {
    const { state, fail, succeed } = fixture();
    await fail(new ApiError(504, 'Timeout', 'unknown', undefined));
    await succeed('b');
    expect(state.caughtUp).toBe(0);
    await succeed();
    await succeed();
    expect(state.caughtUp).toBe(1);
    await fail(new Error('the connection was lost'));
    await succeed();
    expect(state.caughtUp).toBe(2);
  });

  it('do not after a write that was refused', async () => {
    const { state, fail, succeed } = fixture();
    await fail(new ApiError(403, 'Forbidden', 'quota', undefined));
    await succeed();
    expect(state.caughtUp).toBe(0);
  });

  it('do not reconcile while the sources cannot catch up', async () => {
    const { state, fail, succeed } = fixture();
    await fail(new Error('lost'));
    state.fails = true;
    await expect(succeed()).rejects.toThrow('no store');
    state.fails = false;
    expect(await succeed()).toBe('done');
    expect(state.caughtUp).toBe(1);
  });
});
