import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/connection/exchange.ts';
import { authenticationFilter } from '../../src/filters/authentication.ts';
import { NO_EXTRA, type UserInfo } from '../../src/request/user.ts';
import { request } from './context.ts';

const user = (name: string): UserInfo => ({ name, uid: '', groups: [], extra: NO_EXTRA });

describe('authentication', () => {
  const identities = new WeakMap<Exchange, UserInfo>();
  const filter = authenticationFilter({
    authenticate: (credentials) =>
      credentials.header('authorization') === undefined ? undefined : { user: user('by-header') },
    identities,
    closesUnauthenticated: true,
  });

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
      setHeader: { value: () => undefined },
    }) as Exchange;
    identities.set(fromSocket, user('controller'));
    expect(() => filter({ ...context, exchange: fromSocket }, () => undefined)).toThrow(
      expect.objectContaining({ code: 401 }),
    );
  });

  it.each([
    ['without a user', undefined, 'HTTP/2.0', true, ['Connection: close']],
    ['of an anonymous user', user('system:anonymous'), 'HTTP/2.0', true, ['Connection: close']],
    ['of a user', user('alice'), 'HTTP/2.0', true, []],
    ['over HTTP/1.1', undefined, 'HTTP/1.1', true, []],
    ['with the gate off', undefined, 'HTTP/2.0', false, []],
  ])(
    'the connection ends after a request %s: as the gate says',
    (_which, found, protocol, isOn, expected) => {
      const set: string[] = [];
      const { context } = request('GET', '/');
      const exchange = Object.create(context.exchange, {
        protocol: { value: protocol },
        header: { value: () => undefined },
        setHeader: { value: (name: string, value: string) => set.push(`${name}: ${value}`) },
      }) as Exchange;
      const gated = authenticationFilter({
        authenticate: () => found && { user: found },
        identities,
        closesUnauthenticated: isOn,
      });
      const run = () => gated({ ...context, exchange }, () => undefined);
      if (found === undefined) expect(run).toThrow(expect.objectContaining({ code: 401 }));
      else run();
      expect(set).toEqual(expected);
    },
  );
});
