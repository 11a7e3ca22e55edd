import { createBearerAuthenticator } from '../authentication/bearer.ts';
import { readTokenFile } from '../authentication/token-file.ts';
import { createAuthentication } from '../authentication/union.ts';
import { clientCertificates, readAuthorities } from '../authentication/x509/index.ts';
import { alwaysAllow, alwaysDeny, privilegedGroup, unionAuthorizer } from '../authorization/authorizers.ts';
import type { EscalationContext } from '../authorization/escalation.ts';
import { createRbacAuthorizer } from '../authorization/rbac.ts';
import type { RoleSource } from '../authorization/rbac-types.ts';
import type { TlsMaterial } from '../config/certificates/serving.ts';
import { ConfigurationError } from '../config/errors.ts';
import { readTextFile } from '../config/files.ts';
import type { Configuration } from '../config/options.ts';
import type { Logger } from '../observability/log.ts';
import type { Authorizer } from '../request/attributes.ts';
import type { Authenticator, TokenAuthenticator } from '../request/authenticator.ts';

export interface IdentityOptions {
  readonly configuration: Configuration;
  readonly tls: TlsMaterial;
  readonly roles: RoleSource;
  readonly serviceAccounts: TokenAuthenticator;
  readonly logger: Logger;
  /** Wraps each authorizer that `--authorization-mode` names. */
  readonly instrument: (mode: string, authorizer: Authorizer) => Authorizer;
}

/** Who callers are and what they may do: the union of authenticators and the ordered authorizers, as the flags say. */
export function createIdentity({ configuration, tls, roles, serviceAccounts, logger, instrument }: IdentityOptions) {
  const { values, apiAudiences, authorizationModes } = configuration;
  const tokens: TokenAuthenticator[] = [];
  if (values.tokenAuthFile !== '') {
    const file = startError(() => readTokenFile(readTextFile(values.tokenAuthFile), values.tokenAuthFile, apiAudiences));
    for (const warning of file.warnings) logger.warn(warning);
    tokens.push(file.authenticator);
  }
  tokens.push(serviceAccounts);
  const bearer = createBearerAuthenticator({ authenticators: tokens, audiences: apiAudiences, now: () => performance.now() });
  const authorities = [tls.own.authority.certificate, ...tls.clientAuthorities].flatMap((pem) => startError(() => readAuthorities(pem, values.clientCaFile)));
  const authenticators: Authenticator[] = [clientCertificates({ authorities: () => authorities, now: Date.now }), bearer];

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
    bearer,
    authorizer,
    escalation,
    authenticate: createAuthentication(authenticators, {
      anonymous: values.anonymousAuth,
      onError: (name, error) => logger.detail(4, 'credentials refused', { authenticator: name, err: (error as Error).message }),
    }),
    authenticationData: authenticationData(configuration, tls),
  };
}

function startError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof ConfigurationError ? error : new ConfigurationError((error as Error).message);
  }
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
