import { describe, expect, it } from 'vitest';
import { bootstrapTokenAuthenticator } from '../../src/authentication/bootstrap-tokens.ts';
import type { KubernetesObject } from '../../src/model/object.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

function sendRequest(token: string, data: Record<string, string> = {}, more: Partial<KubernetesObject> = {}) {
  const all = {
    'token-id': 'aaaaaa',
    'token-secret': 'abcdef0123456789',
    'usage-bootstrap-authentication': 'true',
    ...data,
  };
  const encoded = Object.fromEntries(
    Object.entries(all).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
  );
  const secret: KubernetesObject = {
    metadata: { name: 'bootstrap-token-aaaaaa' },
    type: 'bootstrap.kubernetes.io/token',
    data: encoded,
    ...more,
  };
  const authenticator = bootstrapTokenAuthenticator({
    secret: (name) => (name === 'bootstrap-token-aaaaaa' ? secret : undefined),
    audiences: ['a'],
    now: () => NOW,
  });
  return authenticator.authenticateToken(token);
}

describe('bootstrap tokens', () => {
  it('map to a user per token with the groups of the secret', () => {
    expect(sendRequest('aaaaaa.abcdef0123456789')).toMatchObject({
      user: {
        name: 'system:bootstrap:aaaaaa',
        uid: '',
        groups: ['system:bootstrappers', 'system:authenticated'],
      },
      audiences: ['a'],
    });
    expect(
      sendRequest('aaaaaa.abcdef0123456789', {
        'auth-extra-groups': 'system:bootstrappers:one,system:bootstrappers:two',
        expiration: '2999-01-01T00:00:00Z',
      }),
    ).toMatchObject({
      user: {
        groups: [
          'system:bootstrappers',
          'system:bootstrappers:one',
          'system:bootstrappers:two',
          'system:authenticated',
        ],
      },
    });
  });

  it.each<[string, string, Record<string, string>, Partial<KubernetesObject>]>([
    ['expired', 'aaaaaa.abcdef0123456789', { expiration: '2001-01-01T00:00:00Z' }, {}],
    ['an unreadable time', 'aaaaaa.abcdef0123456789', { expiration: 'nonsense' }, {}],
    ['another usage', 'aaaaaa.abcdef0123456789', { 'usage-bootstrap-authentication': 'false' }, {}],
    ['a usage in capitals', 'aaaaaa.abcdef0123456789', { 'usage-bootstrap-authentication': 'TRUE' }, {}],
    ['another id', 'aaaaaa.abcdef0123456789', { 'token-id': 'ffffff' }, {}],
    ['a group that is not allowed', 'aaaaaa.abcdef0123456789', { 'auth-extra-groups': 'not-allowed' }, {}],
    ['a secret of another type', 'aaaaaa.abcdef0123456789', {}, { type: 'Opaque' }],
    ['a wrong secret', 'aaaaaa.abcdef0123456780', {}, {}],
    ['no secret', 'zzzzzz.abcdef0123456789', {}, {}],
    ['capitals', 'AAAAAA.abcdef0123456789', {}, {}],
    ['a short token', 'aaaaaa.abcdef012345678', {}, {}],
  ])('are rejected with %s', (_title, token, data, more) =>
    expect(sendRequest(token, data, more)).toBeUndefined(),
  );
});
