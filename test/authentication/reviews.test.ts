import { describe, expect, it } from 'vitest';
import { createBearerAuthenticator } from '../../src/authentication/bearer.ts';
import { reviewSelfSubject, reviewToken } from '../../src/authentication/reviews.ts';
import { readTokenFile } from '../../src/authentication/token-file.ts';
import { user } from './fixtures.ts';

const AUDIENCES = ['https://issuer.test', 'other'];
const bearer = createBearerAuthenticator({
  authenticators: [readTokenFile('t,gina,gina-uid,"one"\n', 'f', AUDIENCES).authenticator],
  audiences: AUDIENCES,
  now: () => 0,
});
const gina = { username: 'gina', uid: 'gina-uid', groups: ['one', 'system:authenticated'] };

describe('token review', () => {
  it.each([
    [{ token: 't' }, { authenticated: true, user: gina, audiences: AUDIENCES }],
    [
      { token: 't', audiences: ['other', 'x'] },
      { authenticated: true, user: gina, audiences: ['other'] },
    ],
    [
      { token: 't', audiences: ['x'] },
      { user: {}, error: 'invalid bearer token' },
    ],
    [{ token: 'nonsense' }, { user: {}, error: 'invalid bearer token' }],
  ])('%j', async (spec, status) =>
    expect(await reviewToken({ metadata: { name: 'n' }, spec }, bearer, AUDIENCES)).toEqual({
      metadata: { name: 'n' },
      spec,
      status,
    }),
  );

  it('rejects a review without a token', async () => {
    await expect(reviewToken({ spec: { token: '' } }, bearer, AUDIENCES)).rejects.toMatchObject({
      code: 400,
      message: 'token is required for TokenReview in authentication',
    });
  });
});

it('a self review returns the requesting user', () => {
  const asker = { ...user('u', ['g']), extra: new Map([['__proto__', ['x']]]) };
  const { metadata, status } = reviewSelfSubject({}, asker, '2026-01-01T00:00:00Z');
  expect(metadata).toEqual({ creationTimestamp: '2026-01-01T00:00:00Z' });
  expect(JSON.stringify(status)).toBe(
    '{"userInfo":{"username":"u","groups":["g"],"extra":{"__proto__":["x"]}}}',
  );
});
