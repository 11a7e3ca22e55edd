import { quoteList } from '../../errors/quote.ts';
import { AuthenticationError } from '../../request/authenticator.ts';
import type { DecodedToken } from '../service-account/jwt.ts';
import type { KeySet } from './key-set.ts';
import { readStandardClaims } from './standard-claims.ts';
import { verifyClaims } from './verify-claims.ts';

export interface VerifyOptions {
  /** Undefined before discovery. */
  readonly keys: KeySet | undefined;
  readonly audiences: readonly string[];
  readonly signingAlgorithms: readonly string[];
  /** Wall clock, seconds. */
  readonly now: number;
}

/**
 * Verifies audience, validity period and signature of a token.
 * @throws AuthenticationError, or rejects with it
 */
export function verifyToken(
  token: DecodedToken,
  { keys, audiences, signingAlgorithms, now }: VerifyOptions,
): void | Promise<void> {
  if (keys === undefined) throw new AuthenticationError('oidc: authenticator not initialized');
  verifyClaims(readStandardClaims(token.claims), audiences, now);
  if (!signingAlgorithms.includes(token.algorithm)) {
    const expected = quoteList(signingAlgorithms);
    throw new AuthenticationError(
      `oidc: verify token: oidc: id token signed with unsupported algorithm, expected ${expected} got ${JSON.stringify(token.algorithm)}`,
    );
  }
  const requireVerified = (verified: boolean): void => {
    if (!verified)
      throw new AuthenticationError(
        'oidc: verify token: failed to verify signature: failed to verify id token signature',
      );
  };
  const verified = keys.verifies(token);
  if (!(verified instanceof Promise)) return requireVerified(verified);
  return verified.then(requireVerified, (error: Error) => {
    throw new AuthenticationError(
      `oidc: verify token: failed to verify signature: fetching keys ${error.message}`,
    );
  });
}
