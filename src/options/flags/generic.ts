import { DEFAULT_MINOR } from '../../model/scheme.ts';
import { address, bool, duration, float, integer, list, noEffect, pairs, text } from './flag.ts';

export const GENERIC = {
  advertiseAddress: address(
    '',
    'Address of this server for cluster members (the endpoints of the kubernetes service). Default: --bind-address, or the default interface if that is unspecified.',
  ),
  corsAllowedOrigins: list(
    [],
    'Regular expressions of allowed CORS origins. Each must pin the start (^ or //) and the end ($ or :) of the host.',
  ),
  emulatedVersion: list(
    [],
    'Release whose feature gates and API versions are emulated: kube=1.31 or kube=1.32 (default).',
  ),
  externalHostname: text(
    '',
    'Host name used in externalized URLs, such as the service account key set of OpenID discovery.',
  ),
  featureGates: pairs(
    [],
    'Feature gates to set, as name=true or name=false. The reference page lists them all.',
  ),
  goawayChance: float(
    0,
    'Fraction of HTTP/2 requests answered with a GOAWAY, so that clients spread over several servers. 0 (off) to 0.02.',
  ),
  livezGracePeriod: duration(
    '0',
    'Time after the start during which /livez treats unfinished startup hooks as healthy.',
  ),
  maxMutatingRequestsInflight: integer(
    200,
    'With --max-requests-inflight, the seats of the server for priority and fairness. With --enable-priority-and-fairness=false: maximum number of mutating requests in flight; 0 means no limit.',
  ),
  maxRequestsInflight: integer(
    400,
    'With --max-mutating-requests-inflight, the seats of the server for priority and fairness. With --enable-priority-and-fairness=false: maximum number of read-only requests in flight; 0 means no limit.',
  ),
  minRequestTimeout: integer(
    1800,
    'Minimum duration of a watch in seconds; each watch gets a random value between this and twice this.',
  ),
  requestTimeout: duration('1m', 'Timeout of ordinary requests.'),
  shutdownDelayDuration: duration(
    '0',
    'Time between the stop signal and the end of accepting requests; meanwhile only /readyz fails.',
  ),
  shutdownSendRetryAfter: bool(
    false,
    'While draining, keep listening and reject new requests with 429 and Retry-After.',
  ),
  shutdownWatchTerminationGracePeriod: duration(
    '0',
    'Time over which active watches are ended while draining; 0: at once.',
  ),
  storageInitializationTimeout: duration(
    '1m',
    'Maximum time to wait for the storage before the server is ready.',
    noEffect('the server waits for its storage without limit, and is not ready meanwhile'),
  ),
  strictTransportSecurityDirectives: list(
    [],
    'Directives of the Strict-Transport-Security header; none: no header. Example: max-age=31536000,includeSubDomains,preload',
  ),
};

/** Flags that kube-apiserver does not have. */
export const PRODUCT = {
  controllers: list(
    ['*'],
    'Built-in controllers to run: * for all, name to add one, -name to leave one out; -* turns all off. A name takes precedence over *; the first mention of a name decides, and the last one of *.',
  ),
  clusterSigningCertFile: text(
    '',
    "Certificate of the authority that signs certificate requests; with --cluster-signing-key-file. Default: the server's own authority.",
  ),
  clusterSigningDuration: duration(
    '8760h',
    'Maximum lifetime of certificates that the signing controller issues.',
  ),
  clusterSigningKeyFile: text('', 'Private key of --cluster-signing-cert-file.'),
  dataDir: text(
    '.binnacle',
    'Directory of the data, the generated certificates and keys, and the admin kubeconfig. Created if missing.',
  ),
  keepDependentsOfUnknownOwners: bool(
    false,
    'Keep objects whose owners this server has never stored, instead of collecting them as garbage. For tests that make up owner references.',
  ),
  namespaceDeletionDelay: duration(
    '0',
    'Time between the deletion of a namespace and that of its content; kube-controller-manager waits 5s. For tests that finalize namespaces themselves.',
  ),
  kubernetesVersion: text(
    DEFAULT_MINOR,
    'Minor version of Kubernetes to serve, such as 1.34: kinds, fields, rules and feature gates are those of its kube-apiserver. Default: that of the data.',
  ),
  kubeconfigOut: text(
    '',
    'File to write the admin kubeconfig to; if set and empty, none is written; - is the standard output, which has nothing else then. Default: kubeconfig in the data directory.',
  ),
};
