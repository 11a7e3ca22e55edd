import type { Authenticated, TokenAuthenticator } from '../../request/authenticator.ts';
import type { UserInfo } from '../../request/user.ts';
import { type ProcessClock, processClock } from '../../time/clock.ts';
import { intersectAudiences } from '../bearer.ts';
import { type DecodedToken, decodeToken } from '../service-account/jwt.ts';
import { authenticatedUser } from '../user.ts';
import type { IssuerConfiguration } from './compiled.ts';
import type { ClaimSources } from './distributed-claims.ts';
import type { Issuer } from './issuer.ts';
import type { Claims } from './read-claim.ts';
import { unverifiedIssuer } from './standard-claims.ts';
import { userFromClaims } from './user-of-claims.ts';
import { verifyToken } from './verify-token.ts';

export interface OpenIdOptions {
  readonly configuration: IssuerConfiguration;
  readonly issuer: Issuer;
  /** Resolves distributed groups claims. */
  readonly sources?: ClaimSources | undefined;
  /** Audiences of this server, for which tokens of the issuer are valid. */
  readonly audiences: readonly string[];
  /** Wall clock of the process, milliseconds. */
  readonly now: ProcessClock['now'];
  /** Called for each token of this issuer with the duration, for metrics. */
  readonly observe?: (result: 'success' | 'failure', seconds: number) => void;
}

/** Google once issued tokens with its host name as the issuer. */
const issuerOf = ({ claims }: DecodedToken): string | undefined => {
  const issuer = unverifiedIssuer(claims);
  return issuer === 'accounts.google.com' ? `https://${issuer}` : issuer;
};

/** Authenticates the tokens of one issuer and ignores all others. */
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
  const resolveUser = (token: DecodedToken): UserInfo | Promise<UserInfo> => {
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
    return verified instanceof Promise ? verified.then(() => resolveUser(token)) : resolveUser(token);
  };

  return {
    name: 'openid',
    authenticateToken(text, requestedAudiences) {
      const token = decodeToken(text);
      if (token === undefined || issuerOf(token) !== url) return undefined;
      const shared = intersectAudiences(own, requestedAudiences);
      if (shared === undefined) return undefined;
      const startedAt = processClock.monotonic();
      const succeed = (user: UserInfo): Authenticated => {
        observe?.('success', (processClock.monotonic() - startedAt) / 1000);
        return { user, audiences: shared };
      };
      const fail = (error: unknown): never => {
        observe?.('failure', (processClock.monotonic() - startedAt) / 1000);
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
