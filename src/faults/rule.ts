import { BinnacleError } from '../errors/binnacle-error.ts';
import { isJsonObject } from '../model/json-object.ts';
import { DurationError, parseMilliseconds } from '../time/duration.ts';

/** Which requests a rule concerns; an absent member concerns all. */
export interface FaultMatch {
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`. */
  readonly verbs?: readonly string[];
  /** Plural names, with the group where there is one: `configmaps`, `deployments.apps`. */
  readonly resources?: readonly string[];
  readonly subresources?: readonly string[];
  readonly namespaces?: readonly string[];
  readonly names?: readonly string[];
  /** Names of users. The server's own controllers are concerned only if they are named. */
  readonly users?: readonly string[];
}

/** What happens to a request; one of these. */
export interface FaultAction {
  /** Refuses the request with this status. */
  readonly status?: 409 | 429 | 500 | 503;
  /** Seconds of `Retry-After`, for 429 and 503. */
  readonly retryAfter?: number;
  /** Lets the request wait before anything is done: milliseconds, or a duration as `2s`. */
  readonly delay?: number | string;
  /**
   * Cuts the connection: `before` anything is done, or `after` the change was committed and before the first byte of the
   * answer.
   */
  readonly cut?: 'before' | 'after';
  /** Ends a watch after a time. */
  readonly endWatch?: number | string;
  /** Delays the events of a watch, which keep their order. */
  readonly delayEvents?: number | string;
  /** Refuses a watch or a list that names a version, or goes on from a token, with 410: the client lists again. */
  readonly expire?: true;
  /** Fails the calls of this admission webhook, as if it did not answer; `*` means every one. */
  readonly webhook?: string;
  /** Serves a list with `resourceVersion=0` as it was so many revisions ago. */
  readonly stale?: number;
}

/** A fault, and how often it happens to the requests that it concerns. */
export interface FaultRule extends FaultMatch, FaultAction {
  /** Leaves so many requests alone first. */
  readonly skip?: number;
  /** Ends after so many faults. */
  readonly count?: number;
  /** Part of the requests, from 0 to 1; which ones follows from {@link seed}. */
  readonly share?: number;
  /** The same seed and the same requests give the same faults. Default 1. */
  readonly seed?: number;
}

const LISTS = ['verbs', 'resources', 'subresources', 'namespaces', 'names', 'users'] as const;
const ACTIONS = ['status', 'delay', 'cut', 'endWatch', 'delayEvents', 'expire', 'stale', 'webhook'] as const;
const STATUSES: readonly unknown[] = [409, 429, 500, 503];
const MOST_ITEMS = 100;
/** Longest delay in milliseconds. */
const LONGEST = 60_000;

/** A rule that cannot be used. */
export class FaultRuleError extends BinnacleError {
  override name = 'FaultRuleError';
  readonly code = 'ERR_BINNACLE_FAULT_RULE';
}

/** Checks a rule of a client. @throws FaultRuleError */
export function readRule(value: unknown): FaultRule {
  if (!isJsonObject(value)) throw new FaultRuleError('a rule is an object');
  const known: readonly string[] = [...LISTS, ...ACTIONS, 'retryAfter', 'skip', 'count', 'share', 'seed'];
  for (const name of Object.keys(value))
    if (!known.includes(name))
      throw new FaultRuleError(
        `unknown member ${JSON.stringify(name.slice(0, 100))}: use ${known.join(', ')}`,
      );
  for (const name of LISTS) checkList(name, value[name]);
  const actions = ACTIONS.filter((name) => value[name] !== undefined);
  if (actions.length !== 1) throw new FaultRuleError(`a rule has one of ${ACTIONS.join(', ')}`);
  const { status, cut, expire, stale, retryAfter, share } = value;
  check(status === undefined || STATUSES.includes(status), 'status must be 409, 429, 500 or 503');
  check(cut === undefined || cut === 'before' || cut === 'after', 'cut must be before or after');
  check(value['webhook'] === undefined || typeof value['webhook'] === 'string', 'webhook must be a text');
  check(expire === undefined || expire === true, 'expire must be true');
  check(
    share === undefined || (typeof share === 'number' && share >= 0 && share <= 1),
    'share must be from 0 to 1',
  );
  for (const name of ['delay', 'endWatch', 'delayEvents'] as const)
    if (value[name] !== undefined) waitOf(name, value[name]);
  for (const [name, number] of Object.entries({
    stale,
    retryAfter,
    skip: value['skip'],
    count: value['count'],
    seed: value['seed'],
  }))
    check(number === undefined || isCount(number), `${name} must be a whole number of at least 0`);
  return value as FaultRule;
}

/** Milliseconds of a delay in a rule. @throws FaultRuleError */
export function waitOf(name: string, value: unknown): number {
  const milliseconds = typeof value === 'string' ? parsed(value) : value;
  if (typeof milliseconds === 'number' && milliseconds >= 0 && milliseconds <= LONGEST) return milliseconds;
  throw new FaultRuleError(`${name} must be milliseconds or a duration as "2s", at most ${LONGEST / 1000} s`);
}

function parsed(text: string): number {
  try {
    return parseMilliseconds(text);
  } catch (error) {
    if (error instanceof DurationError) return Number.NaN;
    throw error;
  }
}

function checkList(name: string, value: unknown): void {
  const isList =
    value === undefined || (Array.isArray(value) && value.every((item) => typeof item === 'string'));
  check(isList, `${name} must be a list of texts`);
  check(
    ((value as readonly string[] | undefined) ?? []).length <= MOST_ITEMS,
    `${name} has more than ${MOST_ITEMS} items`,
  );
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

function check(isValid: boolean, message: string): void {
  if (!isValid) throw new FaultRuleError(message);
}
