import { describe, expect, it } from 'vitest';
import { createClaimSources } from '../../../src/authentication/openid/distributed-claims.ts';
import { createKeySet } from '../../../src/authentication/openid/key-set.ts';
import { issuerKey, jsonWebKey, signedToken } from '../../support/token-issuer.ts';

const NOW = 1_700_000_000;
const key = issuerKey('one', 'ES256');
const stranger = issuerKey('one', 'ES256');
const claims = {
  sub: 'ann',
  _claim_names: { groups: 'graph' },
  _claim_sources: { graph: { endpoint: 'https://graph.test/me', access_token: 'secret' } },
};
const answer = (changes: object = {}, signer = key) =>
  signedToken({ iss: 'https://i.test', aud: 'test', exp: NOW + 60, groups: ['a', 'b'], ...changes }, signer);

function make(text: string) {
  const requested: [string, object][] = [];
  const discovered: string[] = [];
  const keys = createKeySet({ fetch: async () => ({ keys: [jsonWebKey(key)] }), now: () => 0 });
  const sources = createClaimSources({
    claim: 'groups',
    url: 'https://i.test',
    issuer: { keys, ready: Promise.resolve(), stop: () => undefined },
    audiences: ['test'],
    signingAlgorithms: ['ES256'],
    now: () => NOW * 1000,
    environment: {
      now: () => 0,
      after: () => () => undefined,
      onFailure: () => undefined,
      fetch: async (url) => {
        discovered.push(url);
        return { issuer: url.replace('/.well-known/openid-configuration', ''), jwks_uri: 'https://k.test' };
      },
      fetchText: async (url, headers) => {
        requested.push([url, headers]);
        return text;
      },
    },
  });
  return { sources, asked: requested, discovered };
}

describe('distributed claims', () => {
  it('are fetched with their access token and verified', async () => {
    const { sources, asked: requested } = make(answer());
    expect(await sources.expand(claims)).toEqual({ ...claims, groups: ['a', 'b'] });
    expect(requested).toEqual([['https://graph.test/me', { authorization: 'Bearer secret' }]]);
  });

  it.each<[string, object]>([
    ['are there already', { ...claims, groups: [] }],
    ['are not named', { sub: 'ann' }],
    ['are others', { ...claims, _claim_names: { mail: 'graph' } }],
    ['come along in a form that is not read', { ...claims, _claim_sources: { graph: { JWT: 'x' } } }],
  ])('are not fetched when they %s', async (_title, given) => {
    const { sources, asked: requested } = make(answer());
    expect(await sources.expand(given as Record<string, unknown>)).toBe(given);
    expect(requested).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['no token', 'nonsense', 'is not a token'],
    ['signed by a stranger', answer({}, stranger), 'failed to verify signature'],
    ['for another audience', answer({ aud: 'other' }), 'expected audience'],
    ['expired', answer({ exp: 1 }), 'expired'],
    ['without the claim', answer({ groups: undefined }), 'did not contain claim: groups'],
    ['of an issuer that is not known yet', answer({ iss: 'https://other.test' }), 'not initialized'],
    ['of no issuer', answer({ iss: '__proto__' }), 'unknown issuer'],
  ])('are rejected: %s', async (_title, text, message) => {
    await expect((async () => make(text).sources.expand(claims))()).rejects.toThrow(message);
  });

  it('require a source and limit the number of issuers', async () => {
    expect(() => make('').sources.expand({ ...claims, _claim_sources: {} })).toThrow(
      'missing in _claim_sources',
    );
    const texts = Array.from({ length: 20 }, (_, index) => answer({ iss: `https://i${index}.test` }));
    const discovered: string[] = [];
    const many = createClaimSources({
      claim: 'groups',
      url: 'https://i.test',
      issuer: { keys: undefined, ready: Promise.resolve(), stop: () => undefined },
      audiences: ['test'],
      signingAlgorithms: ['ES256'],
      now: () => NOW * 1000,
      environment: {
        now: () => 0,
        after: () => () => undefined,
        onFailure: () => undefined,
        fetch: async (url) => {
          discovered.push(url);
          throw new Error('down');
        },
        fetchText: async () => texts.shift()!,
      },
    });
    for (let count = 0; count < 20; count++)
      await expect((async () => many.expand(claims))()).rejects.toThrow();
    expect(discovered).toHaveLength(16);
    many.stop();
  });
});
