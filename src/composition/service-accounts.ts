import {
  createTokenIssuer,
  issueLegacyToken,
  issuerDocuments,
  type NoteTokenUse,
  readSigningKey,
  readVerificationKeys,
  serviceAccountAuthenticator,
  type TokenIssuer,
  type TokenObjectLister,
  type VerificationKey,
} from '../authentication/service-account/index.ts';
import { once } from '../collections/once.ts';
import type { ServerMetrics } from '../observability/metrics-catalog.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { Configuration } from '../options/options.ts';
import type { ClusterClock } from '../time/clock.ts';
import type { ServiceAccountKeys, SigningKeyOptions } from './service-account-keys.ts';

/** The options of service account tokens. */
type ServiceAccountTokenOptions = OptionSlice<
  | 'serviceAccountExtendTokenExpiration'
  | 'serviceAccountJwksUri'
  | 'serviceAccountLookup'
  | 'serviceAccountMaxTokenExpiration'
>;

/** Creates the issuer and verifier of service account tokens from the flags. */
export function createServiceAccounts(
  configuration: Configuration<ServiceAccountTokenOptions & SigningKeyOptions>,
  keys: () => ServiceAccountKeys,
  reader: TokenObjectLister,
  newId: () => string,
  keySetUrl: string,
  metrics: ServerMetrics,
  now: ClusterClock['now'],
) {
  const { values, serviceAccountIssuers, apiAudiences } = configuration;
  const signing = once(() =>
    readSigningKey(keys().signing.export({ type: 'pkcs8', format: 'pem' }).toString(), 'signing key'),
  );
  const verification = once((): readonly VerificationKey[] =>
    keys().verification.flatMap((key) =>
      readVerificationKeys(key.export({ type: 'spki', format: 'pem' }).toString(), 'verification key'),
    ),
  );
  const namesKeys =
    values.serviceAccountSigningKeyFile !== '' ||
    values.serviceAccountKeyFile.length > 0 ||
    values.tlsPrivateKeyFile !== '';
  // A file that cannot be used is an error of the start.
  if (configuration.storageBackend !== 'memory' || namesKeys) {
    signing();
    verification();
  }
  const issuer = once(() => createTokenIssuer(issuerName, signing(), now, newId));
  const documents = once(() =>
    issuerDocuments(
      issuerName,
      values.serviceAccountJwksUri === '' ? keySetUrl : values.serviceAccountJwksUri,
      verification(),
    ),
  );
  const [issuerName] = serviceAccountIssuers as [string];
  const counters = {
    valid: metrics.validAccountTokens.with(),
    stale: metrics.staleAccountTokens.with(),
    legacy: metrics.legacyAccountTokens.with(),
    generated: metrics.generatedAccountTokens.with(),
    manual: metrics.manualAccountTokens.with(),
    invalidated: metrics.invalidatedAccountTokens.with(),
  };
  let noteUse: NoteTokenUse | undefined;
  return {
    /** Sets the listener that records the use of legacy tokens; earlier uses are not recorded. */
    noteUsesBy(listener: NoteTokenUse): void {
      noteUse = listener;
    },
    authenticator: serviceAccountAuthenticator({
      issuers: serviceAccountIssuers,
      keys: verification,
      audiences: apiAudiences,
      lookup: values.serviceAccountLookup,
      reader,
      now,
      observe: (token) => counters[token].add(),
      noteUse: (secret, date) => noteUse?.(secret, date),
    }),
    requestOptions: {
      issuer: {
        issuer: issuerName,
        issue: (...request: Parameters<TokenIssuer['issue']>) => issuer().issue(...request),
      },
      audiences: apiAudiences,
      reader,
      now,
      maximumSeconds: Math.floor(values.serviceAccountMaxTokenExpiration / 1000),
      extend: values.serviceAccountExtendTokenExpiration,
    },
    signAccountToken: (
      namespace: string,
      account: { readonly name: string; readonly uid: string },
      secret: string,
    ) => issueLegacyToken(namespace, account, secret, signing()),
    documents,
  };
}
