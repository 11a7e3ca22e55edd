import type { Authenticated, TokenAuthenticator } from '../../request/authenticator.ts';
import type { UserInfo } from '../../request/user.ts';
import { intersectAudiences } from '../bearer.ts';
import { textClaim } from '../service-account/claims.ts';
import { type DecodedToken, decodeToken } from '../service-account/jwt.ts';
import { authenticatedUser } from '../user.ts';
import type { IssuerConfiguration } from './compiled.ts';
import type { ClaimSources } from './distributed-claims.ts';
import type { Issuer } from './issuer.ts';
import type { Claims } from './read-claim.ts';
import { userFromClaims } from './user-of-claims.ts';
import { verifyToken } from './verify-token.ts';

export interface OpenIdOptions {
  readonly configuration: IssuerConfiguration;
  readonly issuer: Issuer;
  /** Where its tokens say that groups are kept elsewhere. */
  readonly sources?: ClaimSources | undefined;
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
export function openIdAuthenticator({
  configuration,
  issuer,
  sources,
  audiences: own,
  now,
  observe,
}: OpenIdOptions): TokenAuthenticator {
  const { url, audiences, signingAlgorithms } = configuration;

  const userOf = (claims: Claims): UserInfo => {
    const { name, uid, groups, extra } = userFromClaims(claims, configuration);
    return authenticatedUser(name, uid, groups, extra);
  };
  const conclude = (token: DecodedToken): UserInfo | Promise<UserInfo> => {
    const claims = sources === undefined ? token.claims : sources.expand(token.claims);
    return claims instanceof Promise ? claims.then(userOf) : userOf(claims);
  };
  const authenticate = (token: DecodedToken): UserInfo | Promise<UserInfo> => {
    const verified = verifyToken(token, {
      keys: issuer.keys,
      audiences,
      signingAlgorithms,
      now: now() / 1000,
    });
    return verified instanceof Promise ? verified.then(() => conclude(token)) : conclude(token);
  };

  return {
    name: 'openid',
    authenticateToken(text, wanted) {
      const token = decodeToken(text);
      if (token === undefined || issuerOf(token) !== url) return undefined;
      const shared = intersectAudiences(own, wanted);
      if (shared === undefined) return undefined;
      const begun = performance.now();
      const succeed = (user: UserInfo): Authenticated => {
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
