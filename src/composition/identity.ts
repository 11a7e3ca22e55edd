import type { TokenObjectLister } from '../authentication/service-account/index.ts';
import type { Logger } from '../observability/log.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { Configuration } from '../options/options.ts';
import type { Egress } from '../outbound/egress.ts';
import { FRONT_PROXY_NAME } from '../pki/generated-certificates.ts';
import type { TokenAuthenticator } from '../request/authenticator.ts';
import type { ClusterClock } from '../time/clock.ts';
import { type AuthenticatorOptions, createAuthenticators } from './authentication.ts';
import type { Authorization } from './authorization.ts';
import type { TlsMaterial } from './serving-certificates.ts';

/** The options that are published for extension servers. */
type AuthenticationDataOptions = OptionSlice<
  | 'proxyClientCertFile'
  | 'requestheaderClientCaFile'
  | 'requestheaderAllowedNames'
  | 'requestheaderExtraHeadersPrefix'
  | 'requestheaderGroupHeaders'
  | 'requestheaderUidHeaders'
  | 'requestheaderUsernameHeaders'
>;

export interface IdentityOptions {
  readonly configuration: Configuration<AuthenticatorOptions & AuthenticationDataOptions>;
  readonly tls: TlsMaterial;
  readonly administratorToken: string | undefined;
  readonly authorization: Authorization;
  readonly serviceAccounts: TokenAuthenticator;
  readonly reader: TokenObjectLister;
  readonly clusterClock: ClusterClock;
  readonly egress: Egress;
  readonly metrics: ServerMetrics;
  readonly logger: Logger;
}

/** Creates authentication and authorization from the flags. */
export async function createIdentity({
  configuration,
  tls,
  administratorToken,
  authorization,
  serviceAccounts,
  reader,
  clusterClock,
  egress,
  metrics,
  logger,
}: IdentityOptions) {
  const authentication = await createAuthenticators({
    configuration,
    tls,
    administratorToken,
    serviceAccounts,
    reader,
    clusterClock,
    egress,
    metrics,
    logger,
  });
  return {
    ...authentication,
    authorizer: authorization.authorizer,
    escalation: authorization.escalation,
    authenticationData: () =>
      authenticationData(configuration, authentication.clientBundle(), authentication.proxyBundle(), tls),
  };
}

/**
 * The data with which extension servers, and separate controller managers and schedulers, authenticate
 * clients of the cluster. It always has a client CA: without `--client-ca-file` the server's own.
 */
function authenticationData(
  { values, gates }: Configuration<AuthenticationDataOptions>,
  clientAuthorities: readonly string[],
  proxyAuthorities: readonly string[],
  { generated }: TlsMaterial,
): Record<string, string> {
  // The generated certificate is published for extension servers; this server accepts no headers from it.
  if (values.requestheaderClientCaFile === '' && values.proxyClientCertFile === '')
    return {
      'client-ca-file': clientAuthorities.join(''),
      'requestheader-client-ca-file': generated.frontProxyAuthority.certificate,
      'requestheader-allowed-names': JSON.stringify([FRONT_PROXY_NAME]),
      'requestheader-username-headers': '["X-Remote-User"]',
      ...(gates.enabled('RemoteRequestHeaderUID') ? { 'requestheader-uid-headers': '["X-Remote-Uid"]' } : {}),
      'requestheader-group-headers': '["X-Remote-Group"]',
      'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
    };
  return {
    'client-ca-file': clientAuthorities.join(''),
    ...(proxyAuthorities.length === 0
      ? {}
      : {
          'requestheader-client-ca-file': proxyAuthorities.join(''),
          'requestheader-allowed-names': JSON.stringify(values.requestheaderAllowedNames),
          'requestheader-username-headers': JSON.stringify(values.requestheaderUsernameHeaders),
          ...(gates.enabled('RemoteRequestHeaderUID') && values.requestheaderUidHeaders.length > 0
            ? { 'requestheader-uid-headers': JSON.stringify(values.requestheaderUidHeaders) }
            : {}),
          'requestheader-group-headers': JSON.stringify(values.requestheaderGroupHeaders),
          'requestheader-extra-headers-prefix': JSON.stringify(values.requestheaderExtraHeadersPrefix),
        }),
  };
}
