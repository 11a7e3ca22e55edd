import { quote } from '../../errors/quote.ts';
import {
  type FieldError,
  invalidFormatted,
  tooLong,
  typeInvalidFormatted,
} from '../../status/field-error.ts';
import type { Check } from './checks.ts';
import { hasFormat, isKnownFormat } from './formats.ts';
import { type Matcher, patternMatcher } from './patterns.ts';
import type { ValueSchema } from './value-schema.ts';

/** UTF-16 units that a pattern matches in about the time of checking one value. */
const UNITS_PER_WORK = 64;
/** The work of compiling a pattern, without its length. */
const WORK_PER_PATTERN = 256;

/**
 * Compiles the checks of strings. Of the lengths and the pattern only the first fault is reported, so that no
 * pattern is matched against a text that is too long.
 */
export function compileTextChecks(schema: ValueSchema): Check<string> | undefined {
  const { maxLength, minLength, pattern, format = '' } = schema;
  const checks: Check<string>[] = [];
  if (maxLength !== undefined || minLength !== undefined || (pattern !== undefined && pattern !== ''))
    checks.push(compileFirstFault(maxLength, minLength, pattern));
  if (isKnownFormat(format))
    checks.push((value, run) => {
      run.score += 1;
      run.spend(Math.ceil(value.length / UNITS_PER_WORK));
      if (hasFormat(format, value)) return;
      run.fail((field, name) => {
        const shown = quote(value);
        return typeInvalidFormatted(field, shown, `${name} in body must be of type ${format}: ${shown}`);
      });
    });
  if (checks.length <= 1) return checks[0];
  return (value, run) => {
    for (const check of checks) check(value, run);
  };
}

function compileFirstFault(
  maxLength: number | undefined,
  minLength: number | undefined,
  pattern: string | undefined,
): Check<string> {
  let matcher: Matcher | undefined;
  const rejection =
    (value: string, text: string) =>
    (field: string, name: string): FieldError =>
      invalidFormatted(field, quote(value), `${name} in body should ${text}`);
  return (value, run) => {
    // A text has between half as many and as many code points as UTF-16 units.
    if (maxLength !== undefined && value.length > maxLength && codePoints(value) > maxLength) {
      run.fail((field) => tooLong(field, maxLength));
      return;
    }
    if (minLength !== undefined && value.length < 2 * minLength && codePoints(value) < minLength) {
      run.fail(rejection(value, `be at least ${minLength} chars long`));
      return;
    }
    if (pattern === undefined || pattern === '') return;
    if (matcher === undefined) {
      run.spend(WORK_PER_PATTERN + pattern.length);
      matcher = patternMatcher(pattern);
    }
    run.spend(Math.ceil(value.length / UNITS_PER_WORK));
    if (!matcher(value)) run.fail(rejection(value, `match '${pattern}'`));
  };
}

function codePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index += 1) {
    if ((text.charCodeAt(index) & 0xfc00) !== 0xd800 || (text.charCodeAt(index + 1) & 0xfc00) !== 0xdc00)
      continue;
    count -= 1;
    index += 1;
  }
  return count;
}
