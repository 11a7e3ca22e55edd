import { AuthenticationError } from '../../request/authenticator.ts';
import { audienceClaim } from '../service-account/claims.ts';
import type { Claims } from './read-claim.ts';

/**
 * Clock skew allowed for `nbf`. Expiry has no leeway.
 */
const SKEW_SECONDS = 60;

const quotedList = (texts: readonly string[]): string =>
  `[${texts.map((text) => JSON.stringify(text)).join(' ')}]`;

/**
 * Verifies audience and validity period of a token.
 * @param now seconds
 * @throws AuthenticationError
 */
export function verifyClaims(claims: Claims, audiences: readonly string[], now: number): void {
  const tokenAudiences = audienceClaim(claims.aud);
  if (!tokenAudiences.some((audience) => audiences.includes(audience))) {
    const expected =
      audiences.length === 1
        ? `expected audience ${JSON.stringify(audiences[0])}`
        : `expected audience in ${quotedList([...audiences].sort())}`;
    throw new AuthenticationError(`oidc: verify token: oidc: ${expected} got ${quotedList(tokenAudiences)}`);
  }
  const { exp, nbf } = claims;
  if (typeof exp !== 'number' || !(now <= exp))
    throw new AuthenticationError('oidc: verify token: oidc: token is expired');
  if (nbf === undefined || nbf === null) return;
  if (typeof nbf !== 'number' || now + SKEW_SECONDS < nbf)
    throw new AuthenticationError('oidc: verify token: oidc: current time before the nbf (not before) time');
}
