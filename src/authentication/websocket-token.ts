import {
  type Authenticated,
  AuthenticationError,
  type Authenticator,
  type Credentials,
} from '../request/authenticator.ts';

/**
 * Browsers cannot set headers for WebSockets: they send the token, in base64url, as an additional
 * subprotocol.
 */
const PREFIX = 'base64url.bearer.authorization.k8s.io.';

/**
 * The token among the subprotocols of a WebSocket request; undefined for other requests and without one.
 * @throws AuthenticationError for several tokens, a token that is not base64url, or a request without another
 * subprotocol
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
 * Authenticates WebSocket requests by the token in their subprotocols.
 * @param authenticate authenticates a bearer token
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
