import { flagName } from '../flags/flag.ts';
import type { FlagValues } from '../flags/table.ts';

/** Validates the general limits, timeouts and headers of the server. */
export function validateGeneric(values: FlagValues): string[] {
  const problems: string[] = [];
  if ((values.clusterSigningCertFile === '') !== (values.clusterSigningKeyFile === ''))
    problems.push('--cluster-signing-cert-file and --cluster-signing-key-file must be given together');
  if (values.clusterSigningDuration < 600_000)
    problems.push('--cluster-signing-duration can not be less than 10m');
  if (values.livezGracePeriod < 0) problems.push('--livez-grace-period can not be a negative value');
  const {
    maxRequestsInflight,
    maxMutatingRequestsInflight,
    requestTimeout,
    minRequestTimeout,
    storageInitializationTimeout,
    shutdownDelayDuration,
  } = values;
  for (const [option, value] of Object.entries({
    maxRequestsInflight,
    maxMutatingRequestsInflight,
    requestTimeout,
    minRequestTimeout,
    storageInitializationTimeout,
    shutdownDelayDuration,
  }))
    if (value < 0) problems.push(`--${flagName(option)} can not be negative value`);
  if (!(values.goawayChance >= 0 && values.goawayChance <= 0.02))
    problems.push('--goaway-chance can not be less than 0 or greater than 0.02');
  if (values.shutdownWatchTerminationGracePeriod < 0)
    problems.push('shutdown-watch-termination-grace-period, if provided, can not be a negative value');
  problems.push(
    ...values.strictTransportSecurityDirectives.flatMap(validateTransportSecurity),
    ...values.corsAllowedOrigins.flatMap(validateOrigin),
  );
  if (
    values.enablePriorityAndFairness &&
    values.maxRequestsInflight + values.maxMutatingRequestsInflight === 0
  ) {
    problems.push(
      'invalid configuration: MaxRequestsInFlight=0 and MaxMutatingRequestsInFlight=0; they must add up to something positive',
    );
  }
  return problems;
}

function validateTransportSecurity(directive: string): string[] {
  if (directive.trim() === '') return ['empty value in strict-transport-security-directives'];
  const parts = directive.split('=');
  if (directive === 'includeSubDomains' || directive === 'preload') return [];
  if (parts.length === 2 && parts[0] === 'max-age') return [];
  return [
    '--strict-transport-security-directives invalid, allowed values: max-age=expireTime, includeSubDomains, preload. see https://tools.ietf.org/html/rfc6797#section-6.1 for more information',
  ];
}

function validateOrigin(pattern: string): string[] {
  if (pattern === '') return ['empty value in --cors-allowed-origins'];
  const pinned =
    (pattern.startsWith('^') || pattern.startsWith('//')) && (pattern.endsWith('$') || pattern.includes(':'));
  try {
    new RegExp(pattern);
    return pinned || pattern === '.*'
      ? []
      : [
          '--cors-allowed-origins has an invalid regular expression: regular expression does not pin to start/end of host in the origin header',
        ];
  } catch (error) {
    return [`--cors-allowed-origins has an invalid regular expression: ${(error as Error).message}`];
  }
}
