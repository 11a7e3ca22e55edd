import type { JWTAuthenticator } from '../../model/generated/apiserverconfig-v1beta1.ts';

/** Values of the `--oidc-*` flags. */
export interface OpenIdFlags {
  readonly issuerUrl: string;
  readonly clientId: string;
  /** CA bundle, PEM; undefined: the system's CAs. */
  readonly caBundle: string | undefined;
  readonly usernameClaim: string;
  /** Empty: the default; `-`: none. */
  readonly usernamePrefix: string;
  readonly groupsClaim: string;
  readonly groupsPrefix: string;
  /** `key=value`; the last of equal keys takes effect. */
  readonly requiredClaims: readonly string[];
}

/** Converts flags to the equivalent authenticator of a configuration file. */
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

/** Usernames get the issuer as prefix by default, except email addresses. */
function usernamePrefix({ usernamePrefix: prefix, usernameClaim, issuerUrl }: OpenIdFlags): string {
  if (prefix === '-') return '';
  return prefix === '' && usernameClaim !== 'email' ? `${issuerUrl}#` : prefix;
}
