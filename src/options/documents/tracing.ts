import { aggregate } from '../../errors/aggregate.ts';
import { ConfigurationError } from '../../errors/configuration-error.ts';
import { readTextFile } from '../../files/files.ts';
import { messageType } from '../../model/scheme.ts';
import { type FieldError, formatFieldError, invalid } from '../../status/field-error.ts';
import { type DocumentKind, readDocument } from './document.ts';

const KIND: DocumentKind = {
  kind: 'TracingConfiguration',
  versions: {
    'apiserver.config.k8s.io/v1beta1': () => messageType('apiserverconfig_v1beta1.TracingConfiguration'),
    'apiserver.config.k8s.io/v1alpha1': () => messageType('apiserverconfig_v1alpha1.TracingConfiguration'),
  },
};
const SCHEMES = ['dns', 'unix', 'unix-abstract'];
const LARGEST_RATE = 1_000_000;

/** The collector of spans and the sampling rate. */
export interface TracingConfiguration {
  /** gRPC target of the collector: `host:port`, optionally with a scheme. */
  readonly endpoint: string;
  /** Sampled requests per million; a request that its caller sampled is always traced. */
  readonly samplingRatePerMillion: number;
}

interface Content {
  readonly endpoint?: string;
  readonly samplingRatePerMillion?: number;
}

/**
 * Reads the file of `--tracing-config-file`.
 * @throws ConfigurationError
 */
export function readTracingFile(file: string): TracingConfiguration {
  const content = read(file);
  const { endpoint = 'localhost:4317', samplingRatePerMillion = 0 } = content;
  const problems = [...validateRate(samplingRatePerMillion), ...validateEndpoint(endpoint)];
  if (problems.length > 0)
    throw new ConfigurationError(
      `failed to validate tracing configuration: ${aggregate(problems.map(formatFieldError))}`,
    );
  return { endpoint, samplingRatePerMillion };
}

function read(file: string): Content {
  const failed = (what: string, error: unknown) =>
    new ConfigurationError(`failed to read tracing config: ${what}: ${(error as Error).message}`);
  let text: string;
  try {
    text = readTextFile(file);
  } catch (error) {
    throw failed(`unable to read tracing configuration from ${JSON.stringify(file)}`, error);
  }
  try {
    return readDocument<Content>(text, KIND).content;
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

/**
 * Validates a gRPC target: a known scheme or none (`localhost:4317` has none, although it looks like one).
 */
function validateEndpoint(endpoint: string): FieldError[] {
  const scheme = /^([^/?#]*?):\/\//.exec(endpoint)?.[1];
  if (scheme === undefined || SCHEMES.includes(scheme)) return [];
  if (!/^[a-zA-Z][a-zA-Z0-9+.-]*$/.test(scheme))
    return [
      invalid(
        'endpoint',
        endpoint,
        `parse ${JSON.stringify(endpoint)}: first path segment in URL cannot contain colon`,
      ),
    ];
  const text = `unsupported scheme: ${scheme}.  Options are none, dns, unix, or unix-abstract.  See https://github.com/grpc/grpc/blob/master/doc/naming.md`;
  return [invalid('endpoint', endpoint, text)];
}
