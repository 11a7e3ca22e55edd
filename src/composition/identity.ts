import type { TokenObjectReader } from '../authentication/service-account/index.ts';
import { alwaysAllow, alwaysDeny, privilegedGroup, unionAuthorizer } from '../authorization/authorizers.ts';
import type { EscalationContext } from '../authorization/escalation.ts';
import { createRbacAuthorizer } from '../authorization/rbac.ts';
import type { RoleSource } from '../authorization/rbac-types.ts';
import type { TlsMaterial } from '../config/certificates/serving.ts';
import type { Configuration } from '../config/options.ts';
import type { Logger } from '../observability/log.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import type { Authorizer } from '../request/attributes.ts';
import type { TokenAuthenticator } from '../request/authenticator.ts';
import { createAuthenticators } from './authentication.ts';

export interface IdentityOptions {
  readonly configuration: Configuration;
  readonly tls: TlsMaterial;
  readonly roles: RoleSource;
  readonly serviceAccounts: TokenAuthenticator;
  readonly reader: TokenObjectReader;
  readonly metrics: ServerMetrics;
  readonly logger: Logger;
  /** Wraps each authorizer that `--authorization-mode` names. */
  readonly instrument: (mode: string, authorizer: Authorizer) => Authorizer;
}

/** Who callers are and what they may do: the union of authenticators and the ordered authorizers, as the flags say. */
export async function createIdentity({ configuration, tls, roles, serviceAccounts, reader, metrics, logger, instrument }: IdentityOptions) {
  const { authorizationModes } = configuration;
  const authentication = await createAuthenticators({ configuration, tls, serviceAccounts, reader, metrics, logger });
  const rbac = createRbacAuthorizer(roles);
  const byMode: Readonly<Record<string, Authorizer>> = { AlwaysAllow: alwaysAllow, AlwaysDeny: alwaysDeny, RBAC: rbac };
  const authorizer = unionAuthorizer([
    privilegedGroup,
    ...authorizationModes.flatMap((mode) => {
      const found = byMode[mode];
      if (found === undefined) logger.warn('this authorization mode has no effect yet', { mode });
      return found === undefined ? [] : instrument(mode, found);
    }),
  ]);
  const escalation: Pick<EscalationContext, 'authorizer' | 'resolver' | 'roles'> | undefined = authorizationModes.includes('RBAC')
    ? { authorizer, resolver: rbac, roles }
    : undefined;
  return {
    ...authentication,
    authorizer,
    escalation,
    authenticationData: authenticationData(configuration, tls),
  };
}

/** What extension servers need to know of client authorities; undefined when none were configured. */
function authenticationData({ values }: Configuration, { clientAuthorities, proxyAuthorities }: TlsMaterial): Record<string, string> | undefined {
  if (clientAuthorities.length === 0 && proxyAuthorities.length === 0) return undefined;
  return {
    ...(clientAuthorities.length === 0 ? {} : { 'client-ca-file': clientAuthorities.join('') }),
    ...(proxyAuthorities.length === 0
      ? {}
      : {
          'requestheader-client-ca-file': proxyAuthorities.join(''),
          'requestheader-allowed-names': JSON.stringify(values.requestheaderAllowedNames),
          'requestheader-username-headers': JSON.stringify(values.requestheaderUsernameHeaders),
          'requestheader-group-headers': JSON.stringify(values.requestheaderGroupHeaders),
          'requestheader-extra-headers-prefix': JSON.stringify(values.requestheaderExtraHeadersPrefix),
        }),
  };
}
