import { describe, expect, it } from 'vitest';
import { createBearerAuthenticator } from '../../src/authentication/bearer.ts';
import { decodeToken } from '../../src/authentication/service-account/jwt.ts';
import { credentials, user } from './fixtures.ts';

const header = (token: string) => credentials({ authorization: `Bearer ${token}` });

describe('bearer tokens', () => {
  const make = (known: (token: string) => boolean = () => true) => {
    const state = { time: 0, asked: 0, seen: [] as string[] };
    const authenticator = {
      name: 'test',
      authenticateToken(token: string) {
        state.asked += 1;
        return known(token) ? { user: user(token) } : undefined;
      },
    };
    const observer = {
      request: (hit: boolean) => void state.seen.push(hit ? 'hit' : 'miss'),
      fetch: () => (outcome: string) => void state.seen.push(outcome),
    };
    return {
      state,
      bearer: createBearerAuthenticator({
        authenticators: [authenticator],
        audiences: [],
        now: () => state.time,
        observer,
      }),
    };
  };

  it('are cached for ten seconds when valid, and counted', () => {
    const { state, bearer } = make();
    bearer.authenticate(header('a'));
    bearer.authenticate(header('a'));
    expect(state.asked).toBe(1);
    state.time = 10_000;
    bearer.authenticate(header('a'));
    expect(state.asked).toBe(2);
    expect(state.seen).toEqual(['ok', 'miss', 'hit', 'ok', 'miss']);
  });

  it('are asked for again when the cache was emptied', () => {
    const { state, bearer } = make();
    bearer.authenticate(header('a'));
    bearer.forget();
    bearer.authenticate(header('a'));
    expect(state.asked).toBe(2);
  });

  it('are not cached when rejected', () => {
    const { state, bearer } = make(() => false);
    for (let count = 0; count < 3; count++)
      expect(() => bearer.authenticate(header('a'))).toThrow('invalid bearer token');
    expect(state.asked).toBe(3);
    expect(state.seen).toEqual(['ok', 'miss', 'ok', 'miss', 'ok', 'miss']);
  });

  it('count an authenticator that fails as an error', () => {
    const { state, bearer } = make(() => {
      throw new Error('away');
    });
    expect(() => bearer.authenticate(header('a'))).toThrow('[invalid bearer token, away]');
    expect(state.seen).toEqual(['error', 'miss']);
  });

  it('evict the oldest cache entry beyond the limit', () => {
    const { state, bearer } = make();
    for (let index = 0; index <= 4096; index++) bearer.authenticate(header(`token-${index}`));
    bearer.authenticate(header('token-4096'));
    expect(state.asked).toBe(4097);
    bearer.authenticate(header('token-0'));
    expect(state.asked).toBe(4098);
  });

  it('do not decode beyond the length limit', () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const token = (length: number) => `${part({ alg: 'ES256' })}.${part({ filler: 'x'.repeat(length) })}.AA`;
    expect(decodeToken(token(1000))).toBeDefined();
    expect(decodeToken(token(64 * 1024))).toBeUndefined();
  });
});
