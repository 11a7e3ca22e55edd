import { membersOf } from '../../model/json-object.ts';
import { setMember } from '../../model/object.ts';
import { AuthenticationError } from '../../request/authenticator.ts';
import type { ProcessClock } from '../../time/clock.ts';
import { textClaim } from '../service-account/claims.ts';
import { decodeToken } from '../service-account/jwt.ts';
import { discoverIssuer, type Issuer, type IssuerEnvironment } from './issuer.ts';
import { type Claims, hasClaim } from './read-claim.ts';
import { verifyToken } from './verify-token.ts';

/** Maximum number of further issuers that may sign claim sources; tokens beyond it are rejected. */
const MAXIMUM_ISSUERS = 16;

export interface ClaimSourceOptions {
  /** The claim that may be distributed: the groups. */
  readonly claim: string;
  /** URL of the issuer of the tokens. */
  readonly url: string;
  readonly issuer: Issuer;
  readonly audiences: readonly string[];
  readonly signingAlgorithms: readonly string[];
  readonly environment: IssuerEnvironment;
  /** Wall clock of the process, milliseconds. */
  readonly now: ProcessClock['now'];
}

/** Resolves distributed claims. */
export interface ClaimSources {
  /** Returns the claims with the distributed claim added, or unchanged. Rejects with AuthenticationError. */
  expand(claims: Claims): Claims | Promise<Claims>;
  stop(): void;
}

/**
 * Follows `_claim_names` and `_claim_sources` (OpenID Connect Core 5.6.2). The response of a source must be a
 * signed token.
 */
export function createClaimSources(options: ClaimSourceOptions): ClaimSources {
  const { claim, url, issuer, audiences, signingAlgorithms, environment, now } = options;
  const others = new Map<string, Issuer>();

  const issuerAt = (issuerUrl: string): Issuer => {
    if (issuerUrl === url) return issuer;
    const known = others.get(issuerUrl);
    if (known !== undefined) return known;
    if (!URL.canParse(issuerUrl) || others.size >= MAXIMUM_ISSUERS)
      throw new AuthenticationError('oidc: could not expand distributed claims: unknown issuer');
    const discovered = discoverIssuer(issuerUrl, undefined, environment);
    others.set(issuerUrl, discovered);
    return discovered;
  };
  const resolve = async (claims: Claims, endpoint: string, accessToken: string): Promise<Claims> => {
    const failure = (message: string) =>
      new AuthenticationError(`oidc: could not expand distributed claims: ${message}`);
    const text = await environment
      .fetchText(endpoint, accessToken === '' ? {} : { authorization: `Bearer ${accessToken}` })
      .catch((error: Error) => {
        throw failure(`while getting distributed claim ${JSON.stringify(claim)}: ${error.message}`);
      });
    const token = decodeToken(text.trim());
    if (token === undefined)
      throw failure(`the response of the source of claim ${JSON.stringify(claim)} is not a token`);
    const source = issuerAt(textClaim(token.claims.iss));
    try {
      await verifyToken(token, { keys: source.keys, audiences, signingAlgorithms, now: now() / 1000 });
    } catch (error) {
      throw failure(`verify distributed claim token: ${(error as Error).message}`);
    }
    if (!hasClaim(token.claims, claim))
      throw failure(`the token of its source did not contain claim: ${claim}`);
    const expanded: Record<string, unknown> = { ...claims };
    setMember(expanded, claim, token.claims[claim]);
    return expanded;
  };
  return {
    expand(claims) {
      if (hasClaim(claims, claim) || !hasClaim(claims, '_claim_names')) return claims;
      const names = membersOf(claims._claim_names);
      if (!hasClaim(names, claim)) return claims;
      const name = textClaim(names[claim]);
      const sources = membersOf(claims._claim_sources);
      if (!hasClaim(sources, name))
        throw new AuthenticationError(
          `oidc: could not expand distributed claims: source ${name} is missing in _claim_sources`,
        );
      const { endpoint, access_token: accessToken } = membersOf(sources[name]);
      // Aggregated claims (without an endpoint) are not supported.
      return textClaim(endpoint) === ''
        ? claims
        : resolve(claims, textClaim(endpoint), textClaim(accessToken));
    },
    stop() {
      for (const other of others.values()) other.stop();
    },
  };
}
