import {
  type Authenticated,
  AuthenticationError,
  type Authenticator,
  type Credentials,
} from '../request/authenticator.ts';

/**
 * Browsers can't set headers for WebSockets; they name the token, in base64url, as a subprotocol beside the
 * one they mean.
 */
const PREFIX = 'base64url.bearer.authorization.k8s.io.';

/**
 * The token among the subprotocols that a WebSocket request offers; undefined when it is no such request or
 * there is none.
 * @throws AuthenticationError for more than one token, one that isn't base64url, or a request that offers
 * nothing else
 */
export function websocketToken(credentials: Credentials): string | undefined {
  const offered = credentials.header('sec-websocket-protocol');
  if (
    offered === undefined ||
    !offered.includes(PREFIX) ||
    credentials.header('upgrade')?.toLowerCase() !== 'websocket'
  )
    return undefined;
  const protocols = offered
    .split(',')
    .map((protocol) => protocol.trim())
    .filter((protocol) => protocol !== '');
  const encoded = protocols
    .filter((protocol) => protocol.startsWith(PREFIX))
    .map((protocol) => protocol.slice(PREFIX.length));
  const [first] = encoded;
  if (first === undefined) return undefined;
  if (encoded.length > 1)
    throw new AuthenticationError('multiple base64.bearer.authorization tokens specified');
  if (!/^[A-Za-z0-9_-]+$/.test(first))
    throw new AuthenticationError('invalid base64.bearer.authorization token encoding');
  if (encoded.length === protocols.length) throw new AuthenticationError('missing additional subprotocol');
  return Buffer.from(first, 'base64url').toString('utf8');
}

/**
 * Authenticates WebSocket requests by a token among their subprotocols.
 * @param authenticate as for a token in a header
 */
export function websocketAuthenticator(
  authenticate: (token: string) => Authenticated | Promise<Authenticated>,
): Authenticator {
  return {
    name: 'websocket',
    authenticate(credentials) {
      const token = websocketToken(credentials);
      return token === undefined || token === '' ? undefined : authenticate(token);
    },
  };
}
