import { setMember } from '../../model/object.ts';
import { AuthenticationError } from '../../request/authenticator.ts';
import { objectClaim, textClaim } from '../service-account/claims.ts';
import { decodeToken } from '../service-account/jwt.ts';
import { discoverIssuer, type Issuer, type IssuerEnvironment } from './issuer.ts';
import { type Claims, hasClaim } from './read-claim.ts';
import { verifyToken } from './verify-token.ts';

/** Other issuers that sources of claims may be signed by; tokens that need one more are refused. */
const MAXIMUM_ISSUERS = 16;

export interface ClaimSourceOptions {
  /** The one claim that may be kept elsewhere: the groups. */
  readonly claim: string;
  /** The issuer of the tokens, and its URL. */
  readonly url: string;
  readonly issuer: Issuer;
  readonly audiences: readonly string[];
  readonly signingAlgorithms: readonly string[];
  readonly environment: IssuerEnvironment;
  /** Wall clock, milliseconds. */
  readonly now: () => number;
}

/** Fetches a claim that verified claims say is kept elsewhere. */
export interface ClaimSources {
  /** The claims with the one that was fetched, or as they are. Rejects with AuthenticationError. */
  expand(claims: Claims): Claims | Promise<Claims>;
  stop(): void;
}

/**
 * Follows `_claim_names` and `_claim_sources`: the issuer is believed where a claim is, and what is there
 * must be a signed token again.
 */
export function createClaimSources(options: ClaimSourceOptions): ClaimSources {
  const { claim, url, issuer, audiences, signingAlgorithms, environment, now } = options;
  const others = new Map<string, Issuer>();

  const issuerAt = (named: string): Issuer => {
    if (named === url) return issuer;
    const known = others.get(named);
    if (known !== undefined) return known;
    if (!URL.canParse(named) || others.size >= MAXIMUM_ISSUERS)
      throw new AuthenticationError('oidc: could not expand distributed claims: unknown issuer');
    const discovered = discoverIssuer(named, undefined, environment);
    others.set(named, discovered);
    return discovered;
  };
  const resolve = async (claims: Claims, endpoint: string, accessToken: string): Promise<Claims> => {
    const fault = (message: string) =>
      new AuthenticationError(`oidc: could not expand distributed claims: ${message}`);
    const text = await environment
      .fetchText(endpoint, accessToken === '' ? {} : { authorization: `Bearer ${accessToken}` })
      .catch((error: Error) => {
        throw fault(`while getting distributed claim ${JSON.stringify(claim)}: ${error.message}`);
      });
    const token = decodeToken(text.trim());
    if (token === undefined)
      throw fault(`what the source of claim ${JSON.stringify(claim)} answered is no token`);
    const source = issuerAt(textClaim(token.claims.iss));
    try {
      await verifyToken(token, { keys: source.keys, audiences, signingAlgorithms, now: now() / 1000 });
    } catch (error) {
      throw fault(`verify distributed claim token: ${(error as Error).message}`);
    }
    if (!hasClaim(token.claims, claim))
      throw fault(`the token of its source did not contain claim: ${claim}`);
    const expanded: Record<string, unknown> = { ...claims };
    setMember(expanded, claim, token.claims[claim]);
    return expanded;
  };
  return {
    expand(claims) {
      if (hasClaim(claims, claim) || !hasClaim(claims, '_claim_names')) return claims;
      const names = objectClaim(claims._claim_names);
      if (!hasClaim(names, claim)) return claims;
      const name = textClaim(names[claim]);
      const sources = objectClaim(claims._claim_sources);
      if (!hasClaim(sources, name))
        throw new AuthenticationError(
          `oidc: could not expand distributed claims: source ${name} is missing in _claim_sources`,
        );
      const { endpoint, access_token: accessToken } = objectClaim(sources[name]);
      // Without an endpoint the claim is carried along in a form that isn't read.
      return textClaim(endpoint) === ''
        ? claims
        : resolve(claims, textClaim(endpoint), textClaim(accessToken));
    },
    stop() {
      for (const other of others.values()) other.stop();
    },
  };
}
