import {
  authenticatorFromFlags,
  compileConfiguration,
  createIssuers,
  type IssuerConfiguration,
  type Issuers,
} from '../authentication/openid/index.ts';
import type { AnonymousAccess } from '../authentication/union.ts';
import { aggregate } from '../errors/aggregate.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { reloadOnChange } from '../files/file-watch.ts';
import { readTextFile } from '../files/files.ts';
import type { AuthenticationConfiguration } from '../model/generated/apiserverconfig-v1beta1.ts';
import type { Logger } from '../observability/log.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import { readAuthenticationDocument } from '../options/documents/authentication.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { Configuration } from '../options/options.ts';
import { fetchJson, fetchText } from '../outbound/fetch-json.ts';
import type { TokenAuthenticator } from '../request/authenticator.ts';
import { formatFieldError } from '../status/field-error.ts';
import { processClock } from '../time/clock.ts';
import { hashLabel } from './hash-label.ts';
import { serverIdentity } from './open-storage.ts';

/** Limits of documents from issuers. */
const DOCUMENT_BOUNDS = { timeout: 30_000, maximumBytes: 1 << 20 };
const ALL_ALGORITHMS = ['ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512'];

/** Authenticates tokens of external issuers, and configures anonymous requests. */
export interface OpenId {
  readonly authenticator: TokenAuthenticator;
  /** Undefined if the flag decides. */
  readonly anonymous: () => AnonymousAccess | undefined;
  stop(): void;
}

/** The options of OpenID Connect. */
export type OpenIdOptions = OptionSlice<
  | 'authenticationConfig'
  | 'oidcCaFile'
  | 'oidcClientId'
  | 'oidcGroupsClaim'
  | 'oidcGroupsPrefix'
  | 'oidcIssuerUrl'
  | 'oidcRequiredClaim'
  | 'oidcSigningAlgs'
  | 'oidcUsernameClaim'
  | 'oidcUsernamePrefix'
>;

interface OpenIdParts {
  readonly configuration: Configuration<OpenIdOptions>;
  readonly metrics: ServerMetrics;
  readonly logger: Logger;
}

/**
 * Creates OpenID Connect authentication from the `--oidc-*` flags or the file of `--authentication-config`.
 * @throws ConfigurationError
 */
export function createOpenId(parts: OpenIdParts): OpenId {
  const { values } = parts.configuration;
  if (values.authenticationConfig !== '') return fromFile(parts);
  const document: AuthenticationConfiguration = {
    jwt: [
      authenticatorFromFlags({
        issuerUrl: values.oidcIssuerUrl,
        clientId: values.oidcClientId,
        caBundle: values.oidcCaFile === '' ? undefined : readTextFile(values.oidcCaFile),
        usernameClaim: values.oidcUsernameClaim,
        usernamePrefix: values.oidcUsernamePrefix,
        groupsClaim: values.oidcGroupsClaim,
        groupsPrefix: values.oidcGroupsPrefix,
        requiredClaims: values.oidcRequiredClaim,
      }),
    ],
  };
  const issuers = startIssuers(compile(document, values.oidcSigningAlgs, parts.configuration), parts);
  return { authenticator: issuers, anonymous: () => undefined, stop: () => issuers.stop() };
}

/** @throws ConfigurationError with all errors */
function compile(
  document: AuthenticationConfiguration,
  algorithms: readonly string[],
  configuration: Configuration<OpenIdOptions>,
): readonly IssuerConfiguration[] {
  const { issuers, errors } = compileConfiguration(document, algorithms, configuration.serviceAccountIssuers);
  const texts = errors.map(formatFieldError);
  if (document.anonymous !== undefined && configuration.given.has('anonymousAuth'))
    texts.push(
      'anonymous: Forbidden: --anonynous-auth flag cannot be set when anonymous field is configured in authentication configuration file',
    );
  if (texts.length > 0) throw new ConfigurationError(aggregate(texts));
  return issuers;
}

function startIssuers(
  configurations: readonly IssuerConfiguration[],
  { configuration, metrics, logger }: OpenIdParts,
): Issuers {
  const { after } = processClock;
  return createIssuers(configurations, {
    audiences: configuration.apiAudiences,
    wallClock: processClock.now,
    after,
    environmentOf: ({ url, caBundle }) => ({
      fetch: (target) => fetchJson(target, { ...DOCUMENT_BOUNDS, caBundle }),
      fetchText: (target, headers) => fetchText(target, { ...DOCUMENT_BOUNDS, caBundle, headers }),
      now: processClock.monotonic,
      after,
      onFailure: (message) =>
        logger.error('oidc authenticator: initializing plugin', { issuer: url, err: message }),
    }),
    observe: (url, result, seconds) => metrics.issuerLatency.with(result, hashLabel(url)).observe(seconds),
  });
}

function fromFile(parts: OpenIdParts): OpenId {
  const { configuration, metrics, logger } = parts;
  const file = configuration.values.authenticationConfig;
  const server = hashLabel(serverIdentity().name);
  const record = (status: 'success' | 'failure') => {
    metrics.authenticationReloads.with(status, server).add();
    metrics.authenticationReloaded.with(status, server).set(processClock.now() / 1000);
  };
  let text = readTextFile(file);
  const document = readAuthenticationDocument(text, configuration.scheme);
  let anonymous = accessOf(document);
  const issuers = startIssuers(compile(document, ALL_ALGORITHMS, configuration), parts);
  const reload = async () => {
    try {
      const now = readTextFile(file);
      if (now === text) return;
      const next = readAuthenticationDocument(now, configuration.scheme);
      await issuers.replace(compile(next, ALL_ALGORITHMS, configuration));
      anonymous = accessOf(next);
      text = now;
      record('success');
      logger.info('reloaded the authentication configuration', { file });
    } catch (error) {
      record('failure');
      logger.error('failed to reload the authentication configuration; keeping the previous one', {
        file,
        err: error,
      });
    }
  };
  const stopWatching = reloadOnChange({ files: [file], reload });
  return {
    authenticator: issuers,
    anonymous: () => anonymous,
    stop() {
      stopWatching();
      issuers.stop();
    },
  };
}

function accessOf({ anonymous }: AuthenticationConfiguration): AnonymousAccess | undefined {
  if (anonymous === undefined) return undefined;
  if (anonymous.enabled !== true) return false;
  const { conditions = [] } = anonymous;
  return conditions.length === 0 ? true : { paths: conditions.map(({ path = '' }) => path) };
}
