import { address, bool, duration, float, integer, list, NO_EFFECT, pairs, text } from './flag.ts';

export const GENERIC = {
  advertiseAddress: address(
    '',
    'Address of this server given to others (the endpoints of the kubernetes service). Defaults to --bind-address, or the default interface when that is unspecified.',
  ),
  corsAllowedOrigins: list(
    [],
    'Regular expressions of origins that browsers may call from. Each must pin the start (^ or //) and the end ($ or :) of the host.',
  ),
  emulatedVersion: list(
    [],
    'Release whose behaviour is emulated: kube=1.31 or kube=1.32. The behaviour is that of 1.32 in any case.',
    NO_EFFECT,
  ),
  externalHostname: text(
    '',
    'Host name used in externalized URLs, such as the service account key set of OpenID discovery.',
  ),
  featureGates: pairs(
    [],
    'Feature gates to switch, as name=true or name=false. The reference page lists them all.',
  ),
  goawayChance: float(
    0,
    'Fraction of HTTP/2 requests answered with a GOAWAY, so that clients spread over several servers. 0 (off) to 0.02.',
  ),
  livezGracePeriod: duration(
    '0',
    'Time after the start during which /livez counts unfinished start-up hooks as healthy.',
  ),
  maxMutatingRequestsInflight: integer(
    200,
    'Mutating requests served at a time; 0 means no limit. Only with --enable-priority-and-fairness=false.',
  ),
  maxRequestsInflight: integer(
    400,
    'Read-only requests served at a time; 0 means no limit. Only with --enable-priority-and-fairness=false.',
  ),
  minRequestTimeout: integer(
    1800,
    'Seconds that a watch is kept open at least; each gets a random time between this and twice this.',
  ),
  requestTimeout: duration('1m', 'Longest time an ordinary request may take.'),
  shutdownDelayDuration: duration(
    '0',
    'Time between the signal to stop and the end of accepting requests; meanwhile /readyz fails and everything else works.',
  ),
  shutdownSendRetryAfter: bool(
    false,
    'While draining, keep listening and answer new requests with 429 and Retry-After.',
    NO_EFFECT,
  ),
  shutdownWatchTerminationGracePeriod: duration(
    '0',
    'Time given to active watches to end by themselves while draining.',
    NO_EFFECT,
  ),
  storageInitializationTimeout: duration(
    '1m',
    'Longest time to wait for the storage before the server counts as ready.',
    NO_EFFECT,
  ),
  strictTransportSecurityDirectives: list(
    [],
    'Directives of the Strict-Transport-Security header; none: no header. Example: max-age=31536000,includeSubDomains,preload',
  ),
};

/** The flags that kube-apiserver does not have. */
export const PRODUCT = {
  controllers: list(
    ['*'],
    'Built-in controllers to run: * for all, name to add one, -name to leave one out; -* turns all off.',
  ),
  clusterSigningCertFile: text(
    '',
    "Certificate of the authority that signs certificate requests; with --cluster-signing-key-file. Default: the server's own authority.",
  ),
  clusterSigningDuration: duration('8760h', 'Longest life of a certificate that is signed for a request.'),
  clusterSigningKeyFile: text('', 'Private key of --cluster-signing-cert-file.'),
  dataDir: text(
    '.binnacle',
    'Directory of the data, the generated certificates and keys, and the admin kubeconfig. Created when absent.',
  ),
  kubeconfigOut: text(
    '',
    'File to write the admin kubeconfig to. Default: kubeconfig in the data directory.',
  ),
};
