import { administratorToken } from '../authentication/administrator-token.ts';
import { createBearerAuthenticator, type TokenCacheObserver } from '../authentication/bearer.ts';
import { bootstrapTokenAuthenticator } from '../authentication/bootstrap-tokens.ts';
import { requestHeaderAuthenticator } from '../authentication/request-header.ts';
import type { TokenObjectLister } from '../authentication/service-account/index.ts';
import { readTokenFile } from '../authentication/token-file.ts';
import { createAuthentication } from '../authentication/union.ts';
import { websocketAuthenticator } from '../authentication/websocket-token.ts';
import { clientCertificateAuthenticator } from '../authentication/x509/index.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { readTextFile } from '../files/files.ts';
import type { Logger } from '../observability/log.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { Configuration } from '../options/options.ts';
import type { Egress } from '../outbound/egress.ts';
import { createDynamicCaBundle } from '../pki/dynamic-ca-bundle.ts';
import type { Authenticator, TokenAuthenticator } from '../request/authenticator.ts';
import { type ClusterClock, processClock } from '../time/clock.ts';
import type { OpenIdOptions } from './openid.ts';
import type { TlsMaterial } from './serving-certificates.ts';
import type { TokenWebhookOptions } from './token-webhook.ts';

/** The options of the authenticators. */
export type AuthenticatorOptions = OptionSlice<
  | 'anonymousAuth'
  | 'clientCaFile'
  | 'enableBootstrapTokenAuth'
  | 'requestheaderAllowedNames'
  | 'requestheaderClientCaFile'
  | 'requestheaderExtraHeadersPrefix'
  | 'requestheaderGroupHeaders'
  | 'requestheaderUidHeaders'
  | 'requestheaderUsernameHeaders'
  | 'tokenAuthFile'
> &
  OpenIdOptions &
  TokenWebhookOptions;

export interface AuthenticationParts {
  readonly configuration: Configuration<AuthenticatorOptions>;
  readonly tls: TlsMaterial;
  /** That of `--print-token`. */
  readonly administratorToken: string | undefined;
  readonly serviceAccounts: TokenAuthenticator;
  readonly reader: TokenObjectLister;
  readonly clusterClock: ClusterClock;
  readonly egress: Egress;
  readonly metrics: ServerMetrics;
  readonly logger: Logger;
}

/**
 * Creates the authenticators that the flags configure, in the order of kube-apiserver: authenticating
 * proxies, client certificates, then tokens. Tokens that this server verifies alone come before those that
 * need an external service.
 * @throws ConfigurationError
 */
export async function createAuthenticators(parts: AuthenticationParts) {
  const { configuration, tls, clusterClock, metrics, logger } = parts;
  const { values, gates, apiAudiences, authorizationModes } = configuration;
  // AlwaysAllow permits everything, so anonymous requests are rejected.
  const anonymousByFlag = values.anonymousAuth && !authorizationModes.includes('AlwaysAllow');
  if (values.anonymousAuth && !anonymousByFlag)
    logger.warn(
      'AnonymousAuth is not allowed with the AlwaysAllow authorizer. Resetting AnonymousAuth to false. You should use a different authorizer',
    );
  const stops: (() => void)[] = [];
  const bundleListeners: (() => void)[] = [];
  const onChange = () => {
    for (const listener of bundleListeners) listener();
  };
  const clients = createDynamicCaBundle({
    file: values.clientCaFile,
    purpose: 'client-ca-bundle',
    fixed: () => [tls.generated.authority.certificate],
    onChange,
    logger,
  });
  const proxies = createDynamicCaBundle({
    file: values.requestheaderClientCaFile,
    purpose: 'request-header',
    fixed: () => [],
    onChange,
    logger,
  });
  stops.push(clients.stop, proxies.stop);
  const openId = usesOpenId(configuration) ? (await import('./openid.ts')).createOpenId(parts) : undefined;
  if (openId !== undefined) stops.push(() => openId.stop());
  const bearer = createBearerAuthenticator({
    authenticators: await tokenAuthenticators(parts, openId?.authenticator, stops),
    audiences: apiAudiences,
    now: processClock.monotonic,
    observer: tokenCacheObserver(metrics),
  });
  // Tokens of the cluster end by its time.
  stops.push(clusterClock.onJump(() => bearer.forget()));
  const authenticators: Authenticator[] = [];
  if (values.requestheaderClientCaFile !== '') {
    authenticators.push(
      requestHeaderAuthenticator({
        authorities: proxies.authorities,
        allowedNames: values.requestheaderAllowedNames,
        usernameHeaders: values.requestheaderUsernameHeaders,
        uidHeaders: values.requestheaderUidHeaders,
        groupHeaders: values.requestheaderGroupHeaders,
        extraHeaderPrefixes: values.requestheaderExtraHeadersPrefix,
        now: processClock.now,
      }),
    );
  }
  authenticators.push(
    clientCertificateAuthenticator({
      authorities: clients.authorities,
      now: processClock.now,
      readsUid: gates.enabled('AllowParsingUserUIDFromCertAuth'),
      observe: (milliseconds) => metrics.certificateExpiration.with().observe(milliseconds / 1000),
    }),
    bearer,
    websocketAuthenticator((token) => bearer.authenticateToken(token)),
  );
  return {
    bearer,
    authenticate: createAuthentication(authenticators, {
      anonymous: () => openId?.anonymous() ?? anonymousByFlag,
      onError: (name, error) =>
        logger.detail(4, 'credentials rejected', { authenticator: name, err: (error as Error).message }),
    }),
    /** PEM of the client CAs to publish: those of the flag, else the server's own. */
    clientBundle: clients.bundle,
    proxyBundle: proxies.bundle,
    /** PEM of each CA whose certificates are accepted, of clients and of authenticating proxies. */
    acceptedAuthorities: () => [
      ...new Set([...clients.authorities(), ...proxies.authorities()].map(({ x509 }) => x509.toString())),
    ],
    /** Calls `changed` whenever a CA bundle changes. */
    onCaBundleChange: (changed: () => void) => void bundleListeners.push(changed),
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}

/** The expression engine and the issuer client are loaded only if OpenID Connect is configured. */
const usesOpenId = ({ values }: Configuration<OpenIdOptions>): boolean =>
  values.authenticationConfig !== '' || values.oidcIssuerUrl !== '';

async function tokenAuthenticators(
  parts: AuthenticationParts,
  openId: TokenAuthenticator | undefined,
  stops: (() => void)[],
): Promise<TokenAuthenticator[]> {
  const { configuration, serviceAccounts, reader, clusterClock, egress, logger } = parts;
  const { values, apiAudiences: audiences } = configuration;
  const authenticators: TokenAuthenticator[] = [];
  if (parts.administratorToken !== undefined)
    authenticators.push(administratorToken(parts.administratorToken, audiences));
  if (values.tokenAuthFile !== '') {
    const file = startError(() =>
      readTokenFile(readTextFile(values.tokenAuthFile), values.tokenAuthFile, audiences),
    );
    for (const warning of file.warnings) logger.warn(warning);
    authenticators.push(file.authenticator);
  }
  authenticators.push(serviceAccounts);
  if (values.enableBootstrapTokenAuth)
    authenticators.push(
      bootstrapTokenAuthenticator({
        secret: (name) => reader.secret('kube-system', name),
        audiences,
        now: clusterClock.now,
      }),
    );
  // After the server's own tokens: it may have to fetch keys from an issuer.
  if (openId !== undefined) authenticators.push(openId);
  if (values.authenticationTokenWebhookConfigFile !== '') {
    const { createTokenWebhook } = await import('./token-webhook.ts');
    const webhook = createTokenWebhook(configuration, egress);
    stops.push(webhook.stop);
    authenticators.push(webhook.authenticator);
  }
  return authenticators;
}

function tokenCacheObserver(metrics: ServerMetrics): TokenCacheObserver {
  const hit = {
    requests: metrics.tokenCacheRequests.with('hit'),
    duration: metrics.tokenCacheDuration.with('hit'),
  };
  const miss = {
    requests: metrics.tokenCacheRequests.with('miss'),
    duration: metrics.tokenCacheDuration.with('miss'),
  };
  const fetches = {
    ok: metrics.tokenCacheFetches.with('ok'),
    error: metrics.tokenCacheFetches.with('error'),
  };
  const active = metrics.tokenCacheActive.with('in_flight');
  return {
    request(known, seconds) {
      const cells = known ? hit : miss;
      cells.requests.add();
      cells.duration.observe(seconds);
    },
    fetch() {
      active.add(1);
      return (outcome) => {
        active.add(-1);
        fetches[outcome].add();
      };
    },
  };
}

function startError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof ConfigurationError ? error : new ConfigurationError((error as Error).message);
  }
}
