import { parseYaml } from '../../../codec/yaml.ts';
import { ConfigurationError } from '../../../errors/configuration-error.ts';
import { membersOf } from '../../../model/json-object.ts';
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
  const policy = membersOf(membersOf(parse(text)).imagePolicy);
  const number = (member: string): number => checked(policy, member, 'number', 0);
  return {
    kubeconfigFile: checked(policy, 'kubeConfigFile', 'string', ''),
    // The order of the errors is that of kube-apiserver.
    retryBackoff: timeOf(number('retryBackoff'), 1, 500, [1e-6, 5 * MINUTE]),
    allowTtl: timeOf(number('allowTTL'), SECOND, 5 * MINUTE, [SECOND, 30 * MINUTE]),
    denyTtl: timeOf(number('denyTTL'), SECOND, 30 * SECOND, [SECOND, 30 * MINUTE]),
    defaultAllow: checked(policy, 'defaultAllow', 'boolean', false),
  };
}

function parse(text: string): unknown {
  try {
    return parseYaml(Buffer.from(text)).value;
  } catch (error) {
    throw new ConfigurationError((error as Error).message);
  }
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

function checked<Value extends string | number | boolean>(
  members: Readonly<Record<string, unknown>>,
  member: string,
  type: 'string' | 'number' | 'boolean',
  initial: Value,
): Value {
  const value = Object.hasOwn(members, member) ? (members[member] ?? initial) : initial;
  if (typeof value === type && (type !== 'number' || Number.isInteger(value))) return value as Value;
  throw new ConfigurationError(
    `imagePolicy.${member} must be a ${type === 'number' ? 'whole number' : type}`,
  );
}
