import { expect, it, vi } from 'vitest';
import type { BodyAccount } from '../../src/connection/exchange.ts';
import { bodyFilter } from '../../src/filters/bodies.ts';
import { request } from './context.ts';

it('counts the body in the memory of its user before the request waits for anything', () => {
  const filter = bodyFilter();
  const accountOf = (user: string, method: string): BodyAccount | undefined => {
    const body = method === 'POST' ? { body: 'x' } : {};
    const { context } = request(method, '/api/v1/pods', body);
    Object.assign(context, { user: { name: user, groups: [], extra: {} } });
    const accountBody = vi.spyOn(context.exchange, 'accountBody');
    void filter(context, () => new Promise(() => undefined));
    return accountBody.mock.calls[0]?.[0];
  };
  expect(accountOf('storm', 'GET')).toBeUndefined();
  const half = 32 << 20;
  const reserve = (user: string): boolean => accountOf(user, 'POST')!.reserve(half);
  expect(['storm', 'storm', 'storm', 'other'].map(reserve)).toEqual([true, true, false, true]);
});
