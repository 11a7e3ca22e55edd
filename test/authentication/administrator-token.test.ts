import { expect, it } from 'vitest';
import { administratorToken } from '../../src/authentication/administrator-token.ts';

const AUDIENCES = ['https://issuer.test', 'other'];
const { authenticateToken } = administratorToken('a1b2', AUDIENCES);

it('accepts its token as the administrator', () => {
  expect(authenticateToken('a1b2')).toEqual({
    user: expect.objectContaining({
      name: 'kubernetes-admin',
      groups: ['system:masters', 'system:authenticated'],
    }),
    audiences: AUDIENCES,
  });
  expect(authenticateToken('a1b2', ['other', 'third'])).toMatchObject({ audiences: ['other'] });
});

it.each(['', 'a1b', 'a1b3', 'a1b2 ', 'A1B2', 'ÿ1b2'])('does not know %j', (token) => {
  expect(authenticateToken(token)).toBeUndefined();
});

it('is not valid for other audiences', () => {
  expect(authenticateToken('a1b2', ['third'])).toBeUndefined();
});
