import { aggregate } from '../../errors/aggregate.ts';
import { ConfigurationError } from '../../errors/configuration-error.ts';
import { readTextFile } from '../../files/files.ts';
import type { TracingConfiguration } from '../../model/generated/apiserverconfig-v1beta1.ts';
import { internalTypes } from '../../model/internal-types.ts';
import { type FieldError, formatFieldError, invalid } from '../../status/field-error.ts';
import { type DocumentKind, readDocument } from './document.ts';
import { urlProblem } from './url-problem.ts';

const KIND: DocumentKind = {
  kind: 'TracingConfiguration',
  impliedVersion: 'apiserver.config.k8s.io/v1beta1',
  versions: {
    'apiserver.config.k8s.io/v1beta1': () =>
      internalTypes.type('apiserverconfig_v1beta1.TracingConfiguration'),
    'apiserver.config.k8s.io/v1alpha1': () =>
      internalTypes.type('apiserverconfig_v1alpha1.TracingConfiguration'),
  },
};
const SCHEMES = ['dns', 'unix', 'unix-abstract'];
const DEFAULT_ENDPOINT = 'localhost:4317';
const LARGEST_RATE = 1_000_000;

/** The collector of spans and the sampling rate. */
export interface TracingSettings {
  /** gRPC target of the collector: `host:port`, optionally with a scheme. */
  readonly endpoint: string;
  /** Sampled requests per million; a request that its caller sampled is always traced. */
  readonly samplingRatePerMillion: number;
}

/**
 * Reads the file of `--tracing-config-file`.
 * @throws ConfigurationError
 */
export function readTracingFile(file: string): TracingSettings {
  const content = read(file);
  const { samplingRatePerMillion = 0 } = content;
  const endpoint = content.endpoint || DEFAULT_ENDPOINT;
  const problems = [...validateRate(samplingRatePerMillion), ...validateEndpoint(endpoint)];
  if (problems.length > 0)
    throw new ConfigurationError(
      `failed to validate tracing configuration: ${aggregate(problems.map(formatFieldError))}`,
    );
  return { endpoint, samplingRatePerMillion };
}

function read(file: string): TracingConfiguration {
  const failed = (what: string, error: unknown) =>
    new ConfigurationError(`failed to read tracing config: ${what}: ${(error as Error).message}`);
  let text: string;
  try {
    text = readTextFile(file);
  } catch (error) {
    throw failed(`unable to read tracing configuration from ${JSON.stringify(file)}`, error);
  }
  try {
    return readDocument<TracingConfiguration>(text, KIND).content;
  } catch (error) {
    throw failed('unable to decode tracing configuration data', error);
  }
}

function validateRate(rate: number): FieldError[] {
  if (rate < 0) return [invalid('samplingRatePerMillion', rate, 'sampling rate must be positive')];
  return rate > LARGEST_RATE
    ? [
        invalid(
          'samplingRatePerMillion',
          rate,
          'sampling rate per million must be less than or equal to one million',
        ),
      ]
    : [];
}

/** Validates a gRPC target as a URL: without `://`, `dns://` stands before it. */
function validateEndpoint(endpoint: string): FieldError[] {
  const target = endpoint.includes('://') ? endpoint : `dns://${endpoint}`;
  const problem = urlProblem(target);
  if (problem !== undefined)
    return [invalid('endpoint', target, `parse ${JSON.stringify(target)}: ${problem}`)];
  const scheme = target.slice(0, target.indexOf(':'));
  if (SCHEMES.includes(scheme.toLowerCase())) return [];
  const text = `unsupported scheme: ${scheme.toLowerCase()}.  Options are none, dns, unix, or unix-abstract.  See https://github.com/grpc/grpc/blob/master/doc/naming.md`;
  return [invalid('endpoint', target, text)];
}
