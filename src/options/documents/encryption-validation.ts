import { canonicalBase64 } from '../../codec/base64.ts';
import type {
  Key,
  KMSConfiguration,
  ProviderConfiguration,
} from '../../model/generated/apiserverconfig-v1.ts';
import { type FieldError, invalid, invalidFormatted, required } from '../../status/field-error.ts';
import { parseMilliseconds } from '../../time/duration.ts';
import { escapeProblem } from './url-problem.ts';

/** The members of a provider in the order in which kube-apiserver prints them. */
const PROVIDERS = [
  ['AESGCM', 'aesgcm', 'AESConfiguration'],
  ['AESCBC', 'aescbc', 'AESConfiguration'],
  ['Secretbox', 'secretbox', 'SecretboxConfiguration'],
  ['Identity', 'identity', 'IdentityConfiguration'],
  ['KMS', 'kms', 'KMSConfiguration'],
] as const;

export const atLeastOne = (what: string): string => `at least one ${what} is required`;
const mandatory = (field: string, owner: string): string => `${field} is a mandatory field for a ${owner}`;

/** Validates that a provider is of one type. */
export function providerErrors(path: string, provider: ProviderConfiguration): FieldError[] {
  const count = PROVIDERS.filter(([, member]) => provider[member] !== undefined).length;
  if (count === 1) return [];
  const detail =
    count === 0
      ? 'provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity'
      : 'more than one provider specified in a single element, should split into different list elements';
  const members = PROVIDERS.map(
    ([name, member, type]) =>
      `${name}:(*apiserver.${type})(${provider[member] === undefined ? 'nil' : '0x0'})`,
  );
  return [invalidFormatted(path, `apiserver.ProviderConfiguration{${members.join(', ')}}`, detail)];
}

/** @param lengths supported lengths of a secret, in bytes */
export function keyErrors(
  path: string,
  keys: readonly Key[] = [],
  lengths: readonly number[] = [],
): FieldError[] {
  if (keys.length === 0) return [required(path, atLeastOne('keys'))];
  return keys.flatMap(({ name = '', secret = '' }, index) => [
    ...(name === '' ? [required(`${path}[${index}].name`, mandatory('name', 'key'))] : []),
    ...secretErrors(`${path}[${index}].secret`, secret, lengths),
  ]);
}

function secretErrors(path: string, secret: string, lengths: readonly number[]): FieldError[] {
  if (secret === '') return [required(path, mandatory('secret', 'key'))];
  let length: number;
  try {
    ({ length } = Buffer.from(canonicalBase64(secret), 'base64'));
  } catch {
    return [invalid(path, 'REDACTED', 'secrets must be base64 encoded')];
  }
  if (lengths.includes(length)) return [];
  const expected = `[${lengths.join(' ')}]`;
  return [
    invalid(
      path,
      'REDACTED',
      `secret is not of the expected length, got ${length}, expected one of ${expected}`,
    ),
  ];
}

/** A key service whose members have their defaults; only version 1 has a default of `cachesize`. */
type CompletedService = Required<Omit<KMSConfiguration, 'cachesize'>> & Pick<KMSConfiguration, 'cachesize'>;

/**
 * @param taken names of the previous key services
 * @param reload whether names of key services of version 1 must be unique
 */
export function keyServiceErrors(
  path: string,
  service: CompletedService,
  taken: ReadonlySet<string>,
  reload: boolean,
): FieldError[] {
  const { apiVersion, cachesize } = service;
  return [
    ...serviceNameErrors(`${path}.name`, service, taken, reload),
    ...timeoutErrors(`${path}.timeout`, service.timeout),
    ...endpointErrors(`${path}.endpoint`, service.endpoint),
    ...(apiVersion !== 'v1' && cachesize !== undefined
      ? [invalid(`${path}.cachesize`, cachesize, 'cachesize is not supported in v2')]
      : []),
    ...(apiVersion === 'v1' && cachesize === 0
      ? [invalid(`${path}.cachesize`, 0, 'cachesize should be a positive value, or negative to disable')]
      : []),
    ...(apiVersion === 'v1' || apiVersion === 'v2'
      ? []
      : [
          invalid(
            `${path}.apiVersion`,
            apiVersion,
            'unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported',
          ),
        ]),
  ];
}

function serviceNameErrors(
  path: string,
  { apiVersion, name }: CompletedService,
  taken: ReadonlySet<string>,
  reload: boolean,
): FieldError[] {
  const mustBeUnique = reload || apiVersion !== 'v1';
  return [
    ...(name === '' ? [required(path, mandatory('name', 'provider'))] : []),
    ...(apiVersion !== 'v1' && name.includes(':')
      ? [invalid(path, name, `invalid KMS provider name ${name}, must not contain ':'`)]
      : []),
    ...(mustBeUnique && taken.has(name)
      ? [invalid(path, name, `duplicate KMS provider name ${name}, names must be unique`)]
      : []),
  ];
}

function timeoutErrors(path: string, timeout: string): FieldError[] {
  const milliseconds = parseMilliseconds(timeout);
  return milliseconds > 0
    ? []
    : [
        invalidFormatted(
          path,
          `v1.Duration{Duration:${milliseconds * 1e6}}`,
          'timeout should be a positive value',
        ),
      ];
}

function endpointErrors(path: string, endpoint: string): FieldError[] {
  if (endpoint === '') return [invalid(path, '', mandatory('endpoint', 'kms'))];
  const { scheme, problem = escapeProblem(endpoint) } = schemeOf(endpoint);
  if (problem !== undefined)
    return [
      invalid(
        path,
        endpoint,
        `invalid endpoint for kms provider, error: parse ${JSON.stringify(endpoint)}: ${problem}`,
      ),
    ];
  return scheme === 'unix'
    ? []
    : [
        invalid(
          path,
          endpoint,
          `unsupported scheme ${JSON.stringify(scheme)} for KMS provider, only unix is supported`,
        ),
      ];
}

/** Reads the scheme of a URL as Go's parser does. */
function schemeOf(url: string): { scheme: string; problem?: string } {
  if (/[\u0000-\u001f\u007f]/.test(url))
    return { scheme: '', problem: 'net/url: invalid control character in URL' };
  const match = /^([a-zA-Z][a-zA-Z0-9+.-]*)?:/.exec(url);
  if (match?.[0] === ':') return { scheme: '', problem: 'missing protocol scheme' };
  return { scheme: match?.[1]?.toLowerCase() ?? '' };
}
