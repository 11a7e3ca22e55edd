import type { JWTAuthenticator } from '../../model/generated/apiserverconfig-v1beta1.ts';

/** What the `--oidc-*` flags say. */
export interface OpenIdFlags {
  readonly issuerUrl: string;
  readonly clientId: string;
  /** PEM; undefined: authorities of the system. */
  readonly caBundle: string | undefined;
  readonly usernameClaim: string;
  /** Empty: the default; `-`: none. */
  readonly usernamePrefix: string;
  readonly groupsClaim: string;
  readonly groupsPrefix: string;
  /** `key=value`; of equal keys the last counts. */
  readonly requiredClaims: readonly string[];
}

/** Flags as the authenticator that a configuration file would have for them. */
export function authenticatorFromFlags(flags: OpenIdFlags): JWTAuthenticator {
  const { issuerUrl, clientId, caBundle, usernameClaim, groupsClaim, groupsPrefix } = flags;
  const pairs = flags.requiredClaims.map(
    (pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const,
  );
  return {
    issuer: {
      url: issuerUrl,
      audiences: [clientId],
      ...(caBundle === undefined ? {} : { certificateAuthority: caBundle }),
    },
    claimValidationRules: [...new Map(pairs)].map(([claim, requiredValue]) => ({ claim, requiredValue })),
    claimMappings: {
      username: { claim: usernameClaim, prefix: usernamePrefix(flags) },
      ...(groupsClaim === '' ? {} : { groups: { claim: groupsClaim, prefix: groupsPrefix } }),
    },
  };
}

/** Names are the issuer's own unless they are said to be unique everywhere, as mail addresses are. */
function usernamePrefix({ usernamePrefix: prefix, usernameClaim, issuerUrl }: OpenIdFlags): string {
  if (prefix === '-') return '';
  return prefix === '' && usernameClaim !== 'email' ? `${issuerUrl}#` : prefix;
}
