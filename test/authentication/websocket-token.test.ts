import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBearerAuthenticator } from '../../src/authentication/bearer.ts';
import { websocketAuthenticator, websocketToken } from '../../src/authentication/websocket-token.ts';
import { AuthenticationError } from '../../src/request/authenticator.ts';
import { credentials, user } from './fixtures.ts';

const PREFIX = 'base64url.bearer.authorization.k8s.io.';
const encoded = (token: string) => PREFIX + Buffer.from(token).toString('base64url');
const socket = (protocols: string) =>
  credentials({ upgrade: 'WebSocket', 'sec-websocket-protocol': protocols });

describe('a token among the subprotocols of a WebSocket', () => {
  const bearer = createBearerAuthenticator({
    authenticators: [
      { name: 'test', authenticateToken: (token) => (token === 'good' ? { user: user('ann') } : undefined) },
    ],
    audiences: [],
    now: () => 0,
  });
  const authenticator = websocketAuthenticator((token) => bearer.authenticateToken(token));

  it('authenticates like a bearer header', () => {
    expect(authenticator.authenticate(socket(`v4.channel.k8s.io, ${encoded('good')}`))).toMatchObject({
      user: { name: 'ann' },
    });
    expect(() => authenticator.authenticate(socket(`v4.channel.k8s.io,${encoded('bad')}`))).toThrow(
      AuthenticationError,
    );
  });

  it('is ignored outside of WebSocket requests', () => {
    expect(websocketToken(credentials({ 'sec-websocket-protocol': `a,${encoded('good')}` }))).toBeUndefined();
    expect(websocketToken(socket('v4.channel.k8s.io'))).toBeUndefined();
  });

  it.each([
    [encoded('good'), 'missing additional subprotocol'],
    [`a,${encoded('x')},${encoded('y')}`, 'multiple'],
    [`a,${PREFIX}!!`, 'encoding'],
    [`a,${PREFIX}`, 'encoding'],
  ])('is rejected in %s', (protocols, text) => {
    expect(() => websocketToken(socket(protocols))).toThrow(text);
  });

  it('is parsed or rejected for arbitrary subprotocols', () => {
    const part = fc.oneof(fc.constantFrom(PREFIX, ',', ' ', 'a'), fc.base64String(), fc.string());
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        try {
          websocketToken(socket(parts.join('')));
        } catch (error) {
          expect(error).toBeInstanceOf(AuthenticationError);
        }
      }),
    );
  });
});
