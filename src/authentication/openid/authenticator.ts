import { type Authenticated, AuthenticationError, type TokenAuthenticator } from '../../request/authenticator.ts';
import { sharedAudiences } from '../bearer.ts';
import { textClaim } from '../service-account/claims.ts';
import { type DecodedToken, decodeToken } from '../service-account/jwt.ts';
import { authenticatedUser } from '../user.ts';
import type { IssuerConfiguration } from './compiled.ts';
import type { Issuer } from './issuer.ts';
import { userOfClaims } from './user-of-claims.ts';
import { verifyClaims } from './verify-claims.ts';

export interface OpenIdOptions {
  readonly configuration: IssuerConfiguration;
  readonly issuer: Issuer;
  /** Audiences of this server, which a token of the issuer is good for. */
  readonly audiences: readonly string[];
  /** Wall clock, milliseconds. */
  readonly now: () => number;
  /** Told of each token of this issuer how long it took; for metrics. */
  readonly observe?: (result: 'success' | 'failure', seconds: number) => void;
}

/** Google's tokens were once issued under its bare name. */
const issuerOf = ({ claims }: DecodedToken): string => {
  const named = textClaim(claims.iss);
  return named === 'accounts.google.com' ? `https://${named}` : named;
};

/** Authenticates the tokens of one issuer; those of others are none of its business. */
export function openIdTokens({ configuration, issuer, audiences: own, now, observe }: OpenIdOptions): TokenAuthenticator {
  const { url, audiences, signingAlgorithms } = configuration;

  const authenticate = (token: DecodedToken): Authenticated['user'] | Promise<Authenticated['user']> => {
    if (issuer.keys === undefined) throw new AuthenticationError('oidc: authenticator not initialized');
    verifyClaims(token.claims, audiences, now() / 1000);
    if (!signingAlgorithms.includes(token.algorithm)) {
      const expected = `[${signingAlgorithms.map((name) => JSON.stringify(name)).join(' ')}]`;
      throw new AuthenticationError(
        `oidc: verify token: oidc: id token signed with unsupported algorithm, expected ${expected} got ${JSON.stringify(token.algorithm)}`,
      );
    }
    const conclude = (verified: boolean) => {
      if (!verified) throw new AuthenticationError('oidc: verify token: failed to verify signature: failed to verify id token signature');
      const { name, uid, groups, extra } = userOfClaims(token.claims, configuration);
      return authenticatedUser(name, uid, groups, extra);
    };
    const verified = issuer.keys.verifies(token);
    if (!(verified instanceof Promise)) return conclude(verified);
    return verified.then(conclude, (error: Error) => {
      throw new AuthenticationError(`oidc: verify token: failed to verify signature: fetching keys ${error.message}`);
    });
  };

  return {
    name: 'openid',
    authenticateToken(text, wanted) {
      const token = decodeToken(text);
      if (token === undefined || issuerOf(token) !== url) return undefined;
      const shared = sharedAudiences(own, wanted);
      if (shared === undefined) return undefined;
      const begun = performance.now();
      const succeed = (user: Authenticated['user']): Authenticated => {
        observe?.('success', (performance.now() - begun) / 1000);
        return { user, audiences: shared };
      };
      const fail = (error: unknown): never => {
        observe?.('failure', (performance.now() - begun) / 1000);
        throw error;
      };
      try {
        const user = authenticate(token);
        return user instanceof Promise ? user.then(succeed, fail) : succeed(user);
      } catch (error) {
        return fail(error);
      }
    },
  };
}
