import { RE2JS } from 're2js';
import type { Finding } from '../errors.ts';
import type { Call, Constant } from '../syntax.ts';
import { parseDuration, parseTimestamp, Timestamp } from '../values/time.ts';

const FIRST_SECOND = -62_135_596_800n;
const LAST_SECOND = 253_402_300_799n;

/**
 * By function: whether a literal first argument is valid. For `matches` it is the argument after the
 * receiver, or the first without a receiver.
 */
const CHECKS: ReadonlyMap<string, (constant: Constant) => boolean> = new Map([
  [
    'duration',
    (constant: Constant) => constant.type === 'string' && parseDuration(constant.value) !== undefined,
  ],
  ['timestamp', isTimestamp],
  ['matches', (constant: Constant) => constant.type !== 'string' || isPattern(constant.value)],
]);

function isTimestamp(constant: Constant): boolean {
  if (constant.type === 'int') return constant.value >= FIRST_SECOND && constant.value <= LAST_SECOND;
  return constant.type === 'string' && parseTimestamp(constant.value) instanceof Timestamp;
}

function isPattern(text: string): boolean {
  try {
    RE2JS.compile(text);
    return true;
  } catch {
    return false;
  }
}

/** A literal argument that the function can never accept. */
export function invalidArgument(call: Call): readonly Finding[] {
  const argument = call.arguments[0];
  const accepts = argument === undefined ? undefined : CHECKS.get(call.function);
  if (accepts === undefined || argument?.kind !== 'literal' || accepts(argument.constant)) return [];
  return [{ id: argument.id, message: `invalid ${call.function} argument` }];
}
