import { parseJson } from '../../../codec/json-parse.ts';
import { jsonTypeOf } from '../../../codec/type-meta.ts';
import { parseYaml } from '../../../codec/yaml.ts';
import { ConfigurationError } from '../../../errors/configuration-error.ts';
import { isJsonObject } from '../../../model/json-object.ts';
import { formatMilliseconds } from '../../../time/duration.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** How images are reviewed. Times are in milliseconds. */
export interface ImagePolicyDocument {
  /** Empty: none. */
  readonly kubeconfigFile: string;
  readonly allowTtl: number;
  readonly denyTtl: number;
  /** Before the second attempt of a failed call. */
  readonly retryBackoff: number;
  readonly defaultAllow: boolean;
}

/**
 * Parses the document of ImagePolicyWebhook, which has no version and tolerates unknown members.
 * @throws ConfigurationError; also without document
 */
export function parseImagePolicy(text: string | undefined): ImagePolicyDocument {
  if (text === undefined) throw new ConfigurationError('no config specified');
  const policy = objectOf(memberOf(parse(text), 'imagePolicy'), `${ROOT}.imagePolicy`, POLICY_TYPE);
  const read = <Name extends keyof Types>(member: string, type: Name, initial: Types[Name]): Types[Name] =>
    checked(memberOf(policy, member), member, type, initial);
  return {
    kubeconfigFile: read('kubeConfigFile', 'string', ''),
    // The order of the errors is that of kube-apiserver.
    retryBackoff: timeOf(read('retryBackoff', 'number', 0), 1, 500, [1e-6, 5 * MINUTE]),
    allowTtl: timeOf(read('allowTTL', 'number', 0), SECOND, 5 * MINUTE, [SECOND, 30 * MINUTE]),
    denyTtl: timeOf(read('denyTTL', 'number', 0), SECOND, 30 * SECOND, [SECOND, 30 * MINUTE]),
    defaultAllow: read('defaultAllow', 'boolean', false),
  };
}

const ROOT = 'AdmissionConfig';
const POLICY_TYPE = 'imagepolicy.imagePolicyWebhookConfig';

/** Parses the document as JSON where it begins like an object, else as YAML. */
function parse(text: string): object {
  const isJson = /^\s*\{/.test(text);
  let value: unknown;
  try {
    value = isJson ? parseJson(Buffer.from(text)).value : parseYaml(Buffer.from(text)).value;
  } catch (error) {
    throw new ConfigurationError((error as Error).message);
  }
  if (value === null || isJsonObject(value)) return value ?? {};
  throw new ConfigurationError(
    `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type imagepolicy.${ROOT}`,
  );
}

/** The last member of a name in any case; null is nothing. */
function memberOf(object: object, name: string): unknown {
  const found = Object.entries(object).findLast(([key]) => key.toLowerCase() === name.toLowerCase());
  return found?.[1] ?? undefined;
}

function objectOf(value: unknown, field: string, type: string): object {
  if (value === undefined) return {};
  if (isJsonObject(value)) return value;
  throw new ConfigurationError(
    `json: cannot unmarshal ${jsonTypeOf(value)} into Go struct field ${field} of type ${type}`,
  );
}

/** A time in units of `scale`: 0 selects the default, and -1 none. */
function timeOf(given: number, scale: number, initial: number, [least, most]: [number, number]): number {
  if (given === -1) return 0;
  if (given === 0) return initial;
  const time = given * scale;
  if (time >= least && time <= most) return time;
  const limits = `${least < 1 ? '1ns' : formatMilliseconds(least)} and ${formatMilliseconds(most)}`;
  throw new ConfigurationError(`valid value is between ${limits}, got ${formatMilliseconds(time)}`);
}

interface Types {
  readonly string: string;
  readonly number: number;
  readonly boolean: boolean;
}
const GO_TYPES = { string: 'string', number: 'time.Duration', boolean: 'bool' } as const;

function checked<Name extends keyof Types>(
  value: unknown,
  member: string,
  type: Name,
  initial: Types[Name],
): Types[Name] {
  if (value === undefined) return initial;
  if (typeof value === type && (type !== 'number' || Number.isInteger(value))) return value as Types[Name];
  const found =
    typeof value === 'number' ? `number${type === 'number' ? ` ${value}` : ''}` : jsonTypeOf(value);
  throw new ConfigurationError(
    `json: cannot unmarshal ${found} into Go struct field imagePolicyWebhookConfig.imagePolicy.${member} of type ${GO_TYPES[type]}`,
  );
}
