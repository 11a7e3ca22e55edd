import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/connection/exchange.ts';
import { authenticationFilter } from '../../src/filters/authentication.ts';
import { NO_EXTRA, type UserInfo } from '../../src/request/user.ts';
import { request } from './context.ts';

const user = (name: string): UserInfo => ({ name, uid: '', groups: [], extra: NO_EXTRA });

describe('authentication', () => {
  const identities = new WeakMap<Exchange, UserInfo>();
  const filter = authenticationFilter(
    ({ header }) => (header('authorization') === undefined ? undefined : { user: user('by-header') }),
    identities,
  );

  it('identifies an in-process request by its exchange', async () => {
    const { context } = request('GET', '/');
    identities.set(context.exchange, user('controller'));
    await filter(context, () => undefined);
    expect(context.user.name).toBe('controller');
  });

  it('calls the authenticators for every other exchange without a socket', async () => {
    const { context } = request('GET', '/', { headers: { authorization: 'Bearer x' } });
    await filter(context, () => undefined);
    expect(context.user.name).toBe('by-header');
    expect(() => filter(request('GET', '/').context, () => undefined)).toThrow(
      expect.objectContaining({ code: 401 }),
    );
  });

  it('never treats a request from a socket as in-process', () => {
    const { context } = request('GET', '/');
    const fromSocket = Object.create(context.exchange, {
      protocol: { value: 'HTTP/2.0' },
      header: { value: () => undefined },
    }) as Exchange;
    identities.set(fromSocket, user('controller'));
    expect(() => filter({ ...context, exchange: fromSocket }, () => undefined)).toThrow(
      expect.objectContaining({ code: 401 }),
    );
  });
});
