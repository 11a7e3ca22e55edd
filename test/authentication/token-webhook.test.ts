import { describe, expect, it } from 'vitest';
import { cacheTokenAuthenticator } from '../../src/authentication/token-cache.ts';
import { webhookTokenAuthenticator } from '../../src/authentication/token-webhook.ts';
import { type Authenticated, AuthenticationError } from '../../src/request/authenticator.ts';
import { user } from './fixtures.ts';

describe('webhookTokenAuthenticator', () => {
  const OWN = ['own', 'second'];
  const sendRequest = async (
    answer: Record<string, unknown>,
    requested?: readonly string[],
    version: 'v1' | 'v1beta1' = 'v1',
  ) => {
    const sent: object[] = [];
    const client = {
      post: async (review: object) => {
        sent.push(review);
        return answer;
      },
      close: () => undefined,
    };
    const result = await webhookTokenAuthenticator({
      client,
      version,
      audiences: OWN,
      metadata: { creationTimestamp: null },
    }).authenticateToken('secret', requested);
    return { result, sent };
  };

  it('sends the token and the audiences', async () => {
    const { sent } = await sendRequest({}, ['a'], 'v1beta1');
    expect(sent).toEqual([
      {
        kind: 'TokenReview',
        apiVersion: 'authentication.k8s.io/v1beta1',
        metadata: { creationTimestamp: null },
        spec: { token: 'secret', audiences: ['a'] },
        status: { user: {} },
      },
    ]);
  });

  it('maps the user of the response', async () => {
    const extra = JSON.parse('{"__proto__":["x"],"team":["red","blue"]}') as object;
    const { result } = await sendRequest({
      status: { authenticated: true, user: { username: 'wendy', uid: 'u', groups: ['g'], extra } },
    });
    expect(result).toMatchObject({
      user: { name: 'wendy', uid: 'u', groups: ['g', 'system:authenticated'] },
      audiences: OWN,
    });
    expect([...result!.user.extra]).toEqual([
      ['__proto__', ['x']],
      ['team', ['red', 'blue']],
    ]);
  });

  it.each([
    ['the shared ones', ['second', 'x'], ['y', 'second'], ['second']],
    ['the own ones when it names none', ['own'], [], ['own']],
    ['none that were asked for', ['own'], ['y'], undefined],
  ])('intersects audiences: %s', async (_title, requested, named, expected) => {
    const { result } = await sendRequest(
      { status: { authenticated: true, user: { username: 'w' }, audiences: named } },
      requested,
    );
    expect(result?.audiences).toEqual(expected);
  });

  it('rejects an unauthenticated token, with the error of the webhook', async () => {
    expect((await sendRequest({ status: { authenticated: false } })).result).toBeUndefined();
    expect((await sendRequest({ status: null })).result).toBeUndefined();
    await expect(sendRequest({ status: { error: 'broken' } })).rejects.toThrow(
      new AuthenticationError('broken'),
    );
  });

  it.each([
    [{ kind: 'Status' }, 'converting (v1.Status) to (v1.TokenReview)'],
    [{ apiVersion: 'authentication.k8s.io/v1beta1' }, 'unknown conversion'],
    [{ status: { authenticated: 'true' } }, 'cannot unmarshal string'],
    [{ status: { user: { uid: 5 } } }, 'cannot unmarshal number'],
  ])('fails for a response that is no TokenReview: %j', async (parts, text) => {
    const status = { authenticated: true, user: { username: 'wendy' } };
    await expect(sendRequest({ kind: 'TokenReview', status, ...parts })).rejects.toThrow(text);
  });
});

describe('cacheTokenAuthenticator', () => {
  const make = (answers: (Authenticated | undefined | Error)[]) => {
    const state = { time: 0, asked: 0 };
    const authenticator = {
      name: 'test',
      async authenticateToken() {
        const answer = answers[state.asked++];
        if (answer instanceof Error) throw answer;
        return answer;
      },
    };
    return {
      state,
      cache: cacheTokenAuthenticator(authenticator, { lifetime: 1000, now: () => state.time }),
    };
  };
  const ann: Authenticated = { user: user('ann') };

  it('caches accepted and unknown tokens for their time to live', async () => {
    const { state, cache } = make([ann, undefined, ann]);
    await cache.authenticateToken('a', ['x']);
    expect(await cache.authenticateToken('a', ['x'])).toBe(ann);
    expect(await cache.authenticateToken('a', ['y'])).toBeUndefined();
    expect(await cache.authenticateToken('a', ['y'])).toBeUndefined();
    expect(state.asked).toBe(2);
    state.time = 1000;
    await cache.authenticateToken('a', ['x']);
    expect(state.asked).toBe(3);
  });

  it('shares one call between concurrent requests', async () => {
    const { state, cache } = make([ann]);
    expect(await Promise.all([cache.authenticateToken('a'), cache.authenticateToken('a')])).toEqual([
      ann,
      ann,
    ]);
    expect(state.asked).toBe(1);
  });

  it('never caches an error', async () => {
    const { state, cache } = make([new Error('down'), ann]);
    await expect(cache.authenticateToken('a')).rejects.toThrow('down');
    expect(await cache.authenticateToken('a')).toBe(ann);
    expect(state.asked).toBe(2);
  });

  it('evicts the oldest entries beyond its limit', async () => {
    const { state, cache } = make(Array.from({ length: 4200 }, () => ann));
    for (let index = 0; index <= 4096; index++) await cache.authenticateToken(`token-${index}`);
    await cache.authenticateToken('token-4096');
    expect(state.asked).toBe(4097);
    await cache.authenticateToken('token-0');
    expect(state.asked).toBe(4098);
  });
});
