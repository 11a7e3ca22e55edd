import { type Life, minorBefore } from '../../model/life.ts';
import type { Scheme } from '../../model/scheme.ts';
import { MOST_NODES } from '../../nodes/settings.ts';
import { validateEmulatedVersions } from '../emulated-version.ts';
import type { FeatureGates } from '../feature-gates.ts';
import { flagName } from '../flags/flag.ts';
import { FLAGS, type FlagValues, flagOf, type OptionName } from '../flags/table.ts';

const RECONCILERS = ['lease', 'master-count', 'none'];

const PEER_PROXY_GATE = 'UnknownVersionInteroperabilityProxy';
/** The releases whose proxy to peers needs storage versions. */
const NEEDS_STORAGE_VERSIONS: Life = { until: '1.33' };

/** Validates ports, TLS files, logging, metrics, and flags that must not be ignored. */
export function validateOthers(
  values: FlagValues,
  given: ReadonlySet<OptionName>,
  gates: FeatureGates,
  scheme: Scheme,
): string[] {
  const problems: string[] = [];
  // The only release whose hidden metrics can be shown.
  const previous = minorBefore(scheme.minor) ?? '';
  if (values.securePort < 0 || values.securePort > 65_535)
    problems.push(
      `--secure-port ${values.securePort} must be between 0 and 65535, inclusive. 0 chooses a free port`,
    );
  if (values.simulateNodes < 0 || values.simulateNodes > MOST_NODES)
    problems.push(`--simulate-nodes ${values.simulateNodes} must be between 0 and ${MOST_NODES}, inclusive`);
  if ((values.tlsCertFile === '') !== (values.tlsPrivateKeyFile === ''))
    problems.push('--tls-cert-file and --tls-private-key-file must be specified together');
  if ((values.kubeletClientCertificate === '') !== (values.kubeletClientKey === ''))
    problems.push('--kubelet-client-certificate and --kubelet-client-key must be given together');
  if ((values.proxyClientCertFile === '') !== (values.proxyClientKeyFile === ''))
    problems.push('--proxy-client-cert-file and --proxy-client-key-file must be specified together');
  if (values.cloudProvider !== '' && values.cloudProvider !== 'external')
    problems.push(`unknown --cloud-provider: ${values.cloudProvider}`);
  if (values.showHiddenMetricsForVersion !== '' && values.showHiddenMetricsForVersion !== previous) {
    problems.push(
      `--show-hidden-metrics-for-version must be omitted or have the value '${previous}'. Only the previous minor version is allowed`,
    );
  }
  if (values.loggingFormat !== 'text' && values.loggingFormat !== 'json')
    problems.push(`format: Invalid value: ${JSON.stringify(values.loggingFormat)}: Unsupported log format`);
  if (values.loggingFormat === 'json' && !gates.enabled('LoggingBetaOptions'))
    problems.push('format: Forbidden: Log format json is disabled, see LoggingBetaOptions feature');
  if (!gates.enabled('LoggingAlphaOptions')) {
    const disabled = 'Forbidden: Feature LoggingAlphaOptions is disabled';
    if (values.logTextSplitStream) problems.push(`options.text.splitStream: ${disabled}`);
    if (values.logTextInfoBufferSize !== 0) problems.push(`options.text.infoBufferSize: ${disabled}`);
    if (values.logJsonSplitStream) problems.push(`options.json.splitStream: ${disabled}`);
    if (values.logJsonInfoBufferSize !== 0) problems.push(`options.json.infoBufferSize: ${disabled}`);
  }
  if (values.vmodule.length > 0 && values.loggingFormat !== 'text')
    problems.push('vmodule: Forbidden: Only supported for text log format');
  // Empty means master-count, as in kube-apiserver.
  if (values.endpointReconcilerType !== '' && !RECONCILERS.includes(values.endpointReconcilerType))
    problems.push(
      `unknown endpoint reconciler type ${JSON.stringify(values.endpointReconcilerType)}, allowed values: ${RECONCILERS.join(', ')}`,
    );
  problems.push(...validateEmulatedVersions(values.emulatedVersion, scheme));
  if (given.has('apiserverCount') && values.apiserverCount <= 0)
    problems.push(
      `--apiserver-count should be a positive number, but value '${values.apiserverCount}' provided`,
    );
  if (
    scheme.has(NEEDS_STORAGE_VERSIONS) &&
    gates.enabled(PEER_PROXY_GATE) &&
    !gates.enabled('StorageVersionAPI')
  )
    problems.push(`${PEER_PROXY_GATE} feature requires StorageVersionAPI feature flag to be enabled`);
  if (!gates.enabled(PEER_PROXY_GATE)) {
    const { peerCaFile, peerAdvertiseIp, peerAdvertisePort } = values;
    for (const [option, value] of Object.entries({ peerCaFile, peerAdvertiseIp, peerAdvertisePort }))
      if (value !== '')
        problems.push(`--${flagName(option)} requires ${PEER_PROXY_GATE} feature to be turned on`);
  }
  for (const option of given) {
    const { effect, initial, because } = flagOf(option);
    if (effect === 'refused' && values[option] !== initial && problems.length === 0)
      problems.push(`--${flagName(option)} is not supported: ${because}; leave it out`);
  }
  return problems;
}

/** The default values of the flag table. */
export const INITIAL_VALUES = Object.fromEntries(
  (Object.keys(FLAGS) as OptionName[]).map((option) => [option, flagOf(option).initial]),
) as unknown as FlagValues;
