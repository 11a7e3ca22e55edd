import {
  bool,
  duration,
  fileVerbosity,
  integer,
  list,
  noEffect,
  pairs,
  portRange,
  quantity,
  repeated,
  text,
  verbosity,
} from './flag.ts';
import { DEFAULT_PORT_RANGE } from './forms.ts';

const NO_CLOUD = noEffect('kube-apiserver 1.32 has no cloud providers either');
const NO_PEERS = 'requests are not passed to peers';
const PLUGIN_LIST = 'Comma-separated names of admission plugins; the order does not matter.';

export const FEATURES = {
  contentionProfiling: bool(false, 'Measure the delay of the event loop, for /debug/pprof/block.'),
  debugSocketPath: text('', 'Unix socket that serves profiles and debug flags without authentication.'),
  enablePriorityAndFairness: bool(
    true,
    'Limit, queue and refuse requests by flow schemas and priority levels. Off: limit requests in flight instead.',
  ),
  profiling: bool(
    true,
    'Serve profiles of V8 under /debug/pprof and changeable flags under /debug/flags; let DELETE /metrics reset the metrics.',
  ),
};

export const CLOUD_PROVIDER = {
  cloudConfig: text('', 'Configuration of the cloud provider.', {
    ...NO_CLOUD,
    deprecated: 'will be removed in a future version',
  }),
  cloudProvider: text('', 'Cloud provider; only external is supported.', {
    ...NO_CLOUD,
    deprecated: 'will be removed in a future version',
  }),
};

export const API_ENABLEMENT = {
  runtimeConfig: pairs(
    [],
    'Built-in APIs to enable or disable: group/version[/resource]=true|false, api/all, api/ga, api/beta, api/alpha; the more specific wins.',
  ),
};

export const EGRESS = {
  egressSelectorConfigFile: text(
    '',
    'EgressSelectorConfiguration file: HTTP CONNECT proxies for connections to the cluster, the control plane and etcd. The gRPC protocol is rejected.',
  ),
};

export const ADMISSION = {
  admissionControl: list([], PLUGIN_LIST, {
    deprecated:
      'Use --enable-admission-plugins or --disable-admission-plugins instead. Will be removed in a future version.',
  }),
  admissionControlConfigFile: text(
    '',
    'AdmissionConfiguration file: the configuration of admission plugins.',
  ),
  disableAdmissionPlugins: list([], `Plugins to disable. ${PLUGIN_LIST}`),
  enableAdmissionPlugins: list([], `Plugins to enable besides the default ones. ${PLUGIN_LIST}`),
};

export const METRICS = {
  allowMetricLabels: repeated(
    [],
    "Values allowed of a metric's label, as metric,label='value,…'; others become `unexpected`. Repeatable.",
  ),
  allowMetricLabelsManifest: text('', 'YAML file with the allowed values by metric,label.'),
  disabledMetrics: list([], 'Names of metrics that are not shown.'),
  showHiddenMetricsForVersion: text('', 'Show the metrics that this release hides; only 1.31 is supported.'),
};

export const LOGS = {
  logFlushFrequency: duration('5s', 'Maximum time that information messages stay in a buffer.'),
  logJsonInfoBufferSize: quantity(
    0,
    'Bytes of JSON information messages that are buffered; only with --log-json-split-stream. Needs the gate LoggingAlphaOptions.',
  ),
  logJsonSplitStream: bool(
    false,
    'JSON errors to the standard error, information to the standard output. Needs the gate LoggingAlphaOptions.',
  ),
  logTextInfoBufferSize: quantity(
    0,
    'Bytes of text information messages that are buffered; only with --log-text-split-stream. Needs the gate LoggingAlphaOptions.',
  ),
  logTextSplitStream: bool(
    false,
    'Text errors to the standard error, information to the standard output. Needs the gate LoggingAlphaOptions.',
  ),
  loggingFormat: text('text', 'Format of the log: text or json.'),
  v: verbosity(0, 'Verbosity of the log: 0 for information, 2 for details, 4 and above for debugging.', {
    shorthand: 'v',
  }),
  vmodule: fileVerbosity(
    [],
    'Verbosity by component, the word before the bracket of a log line; * and ? are wildcards. Only for the text format.',
  ),
};

export const TRACES = {
  tracingConfigFile: text(
    '',
    'TracingConfiguration file: the collector that gets the spans of sampled requests, by OTLP over gRPC.',
  ),
};

export const GLOBAL = {
  defaultNotReadyTolerationSeconds: integer(
    300,
    'Default toleration of pods for not-ready nodes, in seconds.',
  ),
  defaultUnreachableTolerationSeconds: integer(
    300,
    'Default toleration of pods for unreachable nodes, in seconds.',
  ),
};

export const MISCELLANEOUS = {
  aggregatorRejectForwardingRedirect: bool(true, 'Do not forward redirects of extension servers to clients.'),
  allowPrivileged: bool(false, 'Allow privileged containers.'),
  apiserverCount: integer(1, 'Number of API servers, for --endpoint-reconciler-type=master-count.', {
    deprecated: 'apiserver-count is deprecated and will be removed in a future version.',
  }),
  enableAggregatorRouting: bool(
    false,
    'Send requests for webhooks and extension servers to endpoint addresses instead of the service address.',
  ),
  enableLogsHandler: bool(false, 'Serve log files under /logs.', {
    effect: 'refused',
    because: 'log files are not served',
    deprecated: 'This flag will be removed in v1.33',
  }),
  endpointReconcilerType: text(
    'lease',
    'Reconciler of the endpoints of the kubernetes service: lease publishes the servers that renew a lease, master-count up to --apiserver-count servers, none does not change them.',
  ),
  eventTtl: duration('1h', 'Time to live of events.'),
  kubeletCertificateAuthority: text(
    '',
    'CA bundle that verifies kubelets. Without it they are not verified.',
  ),
  kubeletClientCertificate: text('', 'Client certificate for kubelets.'),
  kubeletClientKey: text('', 'Private key of --kubelet-client-certificate.'),
  kubeletPort: integer(10_250, 'Port of kubelets whose node does not name one.', {
    deprecated: 'kubelet-port is deprecated and will be removed.',
  }),
  kubeletPreferredAddressTypes: list(
    ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'],
    'Kinds of node addresses at which kubelets are reached, in order of preference.',
  ),
  kubeletReadOnlyPort: integer(10_255, 'Read-only port of kubelets.', {
    ...noEffect('kube-apiserver 1.32 connects to this port for nothing either'),
    deprecated: 'kubelet-read-only-port is deprecated and will be removed.',
  }),
  kubeletTimeout: duration(
    '5s',
    'Time to connect to a kubelet. Its answers have no timeout: they may be streams.',
  ),
  kubernetesServiceNodePort: integer(
    0,
    'Node port of the kubernetes service, whose type is NodePort then; 0 for none.',
  ),
  maxConnectionBytesPerSec: integer(
    0,
    'Bytes per second of one client connection; 0 means no limit.',
    noEffect('streams of kubelets are as fast as the client and the kubelet'),
  ),
  peerAdvertiseIp: text('', 'Address for requests from peer API servers.', noEffect(NO_PEERS)),
  peerAdvertisePort: text('', 'Port for requests from peer API servers.', noEffect(NO_PEERS)),
  peerCaFile: text('', 'CA bundle of peer API servers.', { effect: 'refused', because: NO_PEERS }),
  proxyClientCertFile: text(
    '',
    'Client certificate for extension API servers. Default: one is generated and stored in the certificate directory.',
  ),
  proxyClientKeyFile: text('', 'Private key of --proxy-client-cert-file.'),
  serviceAccountSigningEndpoint: text('', 'Socket of an external token signer.', {
    effect: 'refused',
    because: 'tokens are signed by this server',
  }),
  serviceAccountSigningKeyFile: text(
    '',
    'Private key that signs service account tokens (RSA or ECDSA). Default: one is generated and stored in the data directory.',
  ),
  serviceClusterIpRange: text(
    '',
    'Ranges of service addresses, at most one per IP family. Default: 10.0.0.0/24',
  ),
  serviceNodePortRange: portRange(DEFAULT_PORT_RANGE, 'Ports for services of type NodePort, as first-last.'),
};
