import { describe, expect, it } from 'vitest';
import { createIssuers } from '../../../src/authentication/openid/index.ts';
import { discoverIssuer } from '../../../src/authentication/openid/issuer.ts';
import { createKeySet } from '../../../src/authentication/openid/key-set.ts';
import { decodeToken } from '../../../src/authentication/service-account/jwt.ts';
import { issuerKey, jsonWebKey, signedToken } from '../../support/token-issuer.ts';

const old = issuerKey('old', 'ES256');
const fresh = issuerKey('new', 'ES256');
const decoded = (key: typeof old) => decodeToken(signedToken({}, key))!;

describe('createKeySet', () => {
  const make = () => {
    const state = { time: 0, fetches: 0, published: [old] };
    const fetch = async () => {
      state.fetches += 1;
      return {
        keys: [...state.published.map(jsonWebKey), { kty: 'oct', k: 'AA' }, { kty: 'EC' }, 'nonsense'],
      };
    };
    return { state, keys: createKeySet({ fetch, now: () => state.time }) };
  };

  it('fetches once for concurrent verifications and again for an unknown key id', async () => {
    const { state, keys } = make();
    expect(await Promise.all([keys.verifies(decoded(old)), keys.verifies(decoded(old))])).toEqual([
      true,
      true,
    ]);
    expect(keys.verifies(decoded(old))).toBe(true);
    expect(state.fetches).toBe(1);
    state.published = [fresh];
    expect(await keys.verifies(decoded(fresh))).toBe(true);
    expect(await keys.verifies(decoded(old))).toBe(false);
    expect(state.fetches).toBe(3);
  });

  it('limits fetches for tokens with invented key ids', async () => {
    const { state, keys } = make();
    const stranger = decoded(issuerKey('stranger', 'ES256'));
    for (let count = 0; count < 50; count++) expect(await keys.verifies(stranger)).toBe(false);
    expect(state.fetches).toBe(5);
    state.time = 20_000;
    for (let count = 0; count < 50; count++) await keys.verifies(stranger);
    expect(state.fetches).toBe(7);
  });

  it('keeps the known keys when a fetch fails', async () => {
    let isUp = true;
    const keys = createKeySet({
      fetch: async () => (isUp ? { keys: [jsonWebKey(old)] } : Promise.reject(new Error('down'))),
      now: () => 0,
    });
    await keys.verifies(decoded(old));
    isUp = false;
    await expect(keys.verifies(decoded(fresh))).rejects.toThrow('down');
    expect(keys.verifies(decoded(old))).toBe(true);
  });
});

describe('discovery of an issuer', () => {
  it('retries until discovery succeeds', async () => {
    const answers: (object | Error)[] = [
      new Error('down'),
      { issuer: 'https://other.test' },
      { issuer: 'https://i.test', jwks_uri: 'https://i.test/keys' },
    ];
    const requested: string[] = [];
    const failures: string[] = [];
    const issuer = discoverIssuer('https://i.test', undefined, {
      now: () => 0,
      onFailure: (message) => void failures.push(message),
      after: (milliseconds, act) => {
        expect(milliseconds).toBe(10_000);
        act();
        return () => undefined;
      },
      fetch: async (url) => {
        requested.push(url);
        const answer = answers.shift()!;
        if (answer instanceof Error) throw answer;
        return answer as Record<string, unknown>;
      },
    });
    expect(issuer.keys).toBeUndefined();
    await issuer.ready;
    expect(issuer.keys).toBeDefined();
    expect(new Set(requested)).toEqual(new Set(['https://i.test/.well-known/openid-configuration']));
    expect(failures).toEqual(['down', expect.stringContaining('issuer did not match')]);
  });

  it('completes for a new configuration before it replaces the previous one', async () => {
    const timers: (() => void)[] = [];
    const isUp = new Set(['https://a.test']);
    const configuration = (url: string) => ({
      url,
      discoveryUrl: undefined,
      caBundle: undefined,
      audiences: ['test'],
      signingAlgorithms: ['ES256'],
      username: { claim: 'sub', prefix: '' },
      groups: undefined,
      uid: undefined,
      extra: [],
      requiredClaims: new Map<string, string>(),
      claimRules: [],
      userRules: [],
    });
    const after = (_milliseconds: number, act: () => void) => {
      timers.push(act);
      return () => undefined;
    };
    const issuers = createIssuers([configuration('https://a.test')], {
      audiences: ['own'],
      wallClock: () => 0,
      after,
      observe: () => undefined,
      environmentOf: ({ url }) => ({
        now: () => 0,
        after,
        onFailure: () => undefined,
        fetchText: async () => '',
        fetch: async (target) => {
          if (!isUp.has(url)) throw new Error('down');
          return target.endsWith('/keys')
            ? { keys: [jsonWebKey(old)] }
            : { issuer: url, jwks_uri: `${url}/keys` };
        },
      }),
    });
    const sendRequest = async (iss: string) =>
      issuers.authenticateToken(signedToken({ iss, aud: 'test', exp: 60, sub: 'ann' }, old));
    await expect
      .poll(() => sendRequest('https://a.test').catch(() => undefined))
      .toMatchObject({ user: { name: 'ann' } });
    const replaced = issuers.replace([configuration('https://b.test')]);
    const late = timers[0]!;
    late();
    await expect(replaced).rejects.toThrow(
      'discovery timed out after 60 seconds for issuers: https://b.test',
    );
    expect(await sendRequest('https://a.test')).toMatchObject({ user: { name: 'ann' } });
    isUp.add('https://b.test');
    await issuers.replace([configuration('https://b.test')]);
    expect(await sendRequest('https://b.test')).toMatchObject({ user: { name: 'ann' } });
    expect(await sendRequest('https://a.test')).toBeUndefined();
    issuers.stop();
  });
});
