import { quoteList } from '../../errors/quote.ts';
import { AuthenticationError } from '../../request/authenticator.ts';
import type { StandardClaims } from './standard-claims.ts';

/**
 * Clock skew allowed for `nbf`. Expiry has no leeway.
 */
const SKEW_SECONDS = 60;

/** A time as `2001-02-03 04:05:06.7 +0000 UTC`; a token without expiry has the first second of the first year. */
function timeText(seconds: number | undefined): string {
  if (seconds === undefined) return '0001-01-01 00:00:00 +0000 UTC';
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return '292277026596-12-04 15:30:08 +0000 UTC';
  const milliseconds = date.getUTCMilliseconds();
  const fraction = milliseconds === 0 ? '' : String(milliseconds / 1000).slice(1);
  return `${date.toISOString().slice(0, -'.000Z'.length).replace('T', ' ')}${fraction} +0000 UTC`;
}

/**
 * Verifies audience and validity period of a token.
 * @param now seconds
 * @throws AuthenticationError
 */
export function verifyClaims(
  { audiences: actual, expiry, notBefore }: StandardClaims,
  audiences: readonly string[],
  now: number,
): void {
  if (!actual.some((audience) => audiences.includes(audience))) {
    const expected =
      audiences.length === 1
        ? `expected audience ${JSON.stringify(audiences[0])}`
        : `expected audience in ${quoteList([...audiences].sort())}`;
    throw new AuthenticationError(`oidc: verify token: oidc: ${expected} got ${quoteList(actual)}`);
  }
  if (expiry === undefined || expiry < now)
    throw new AuthenticationError(
      `oidc: verify token: oidc: token is expired (Token Expiry: ${timeText(expiry)})`,
    );
  if (notBefore !== undefined && now + SKEW_SECONDS < notBefore)
    throw new AuthenticationError(
      `oidc: verify token: oidc: current time ${timeText(now)} before the nbf (not before) time: ${timeText(notBefore)}`,
    );
}
