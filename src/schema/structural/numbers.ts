import { invalidFormatted } from '../../status/field-error.ts';
import type { Check } from './checks.ts';
import { floatText, isInt64, numberText } from './go-text.ts';
import { type NumberRange, rangeOf } from './number-ranges.ts';
import type { Run } from './run.ts';
import { isWhole } from './types.ts';
import type { ValueSchema } from './value-schema.ts';

/**
 * Compiles the checks of the bounds of numbers and of `multipleOf`. As in the reference, integers are compared
 * with bounds that are converted to int64, other numbers with the bounds as they are.
 */
export function compileNumberChecks(schema: ValueSchema): Check<number | bigint> | undefined {
  const { maximum, exclusiveMaximum, minimum, exclusiveMinimum, multipleOf } = schema;
  const range = schema.checksRange === true ? rangeOf(schema) : undefined;
  const checks: Check<number | bigint>[] = [];
  if (range !== undefined)
    checks.push((value, run) => {
      if (!range.has(value)) failRange(run, 'Checked', range);
    });
  if (multipleOf !== undefined) checks.push(withinRange('MultipleOf', multipleOf, range, multipleOfCheck));
  if (maximum !== undefined) {
    const text = exclusiveMaximum === true ? 'less than ' : 'less than or equal to ';
    const accepts = exclusiveMaximum === true ? isLess : isLessOrEqual;
    checks.push(
      withinRange('Maximum boundary', maximum, range, (bound, isNative) =>
        boundCheck(bound, text, accepts, isNative),
      ),
    );
  }
  if (minimum !== undefined) {
    const text = exclusiveMinimum === true ? 'greater than ' : 'greater than or equal to ';
    const accepts = exclusiveMinimum === true ? isLess : isLessOrEqual;
    checks.push(
      withinRange('Minimum boundary', minimum, range, (bound, isNative) =>
        boundCheck(bound, text, (value, other) => accepts(other, value), isNative),
      ),
    );
  }
  if (checks.length <= 1) return checks[0];
  return (value, run) => {
    for (const check of checks) check(value, run);
  };
}

type Numeric = number | bigint;

const isLess = (left: Numeric, right: Numeric): boolean => left < right;
const isLessOrEqual = (left: Numeric, right: Numeric): boolean => left <= right;

const isInteger = (value: Numeric, run: Run): boolean =>
  typeof value === 'bigint' ? isInt64(value) : Number.isSafeInteger(value) && !run.isWrittenAsFloat;

const MINIMUM_INT64 = -(2n ** 63n);

/** Converts a number to int64 like Go: the fraction is dropped, and what does not fit is the smallest int64. */
function toInt64(value: number): Numeric {
  const whole = Math.trunc(value);
  if (Number.isSafeInteger(whole)) return whole + 0;
  const exact = Number.isFinite(whole) ? BigInt(whole) : MINIMUM_INT64;
  return isInt64(exact) ? exact : MINIMUM_INT64;
}

/** A check that a bound is within the range of the values, and the check that it makes of them. */
function withinRange(
  name: string,
  bound: number,
  range: NumberRange | undefined,
  create: (bound: number, isNative: boolean) => Check<Numeric>,
): Check<Numeric> {
  if (range === undefined || range.has(bound)) return create(bound, true);
  const check = create(bound, false);
  return (value, run) => {
    failRange(run, name, range);
    check(value, run);
  };
}

/** Errors of ranges are reported for the whole value. */
function failRange(run: Run, name: string, { text }: NumberRange): void {
  run.fail((_field, path) =>
    invalidFormatted(run.rootField, '""', `${name} value must be ${text} in ${path}`),
  );
}

/** A check that compares values with a bound. */
function boundCheck(
  bound: number,
  text: string,
  accepts: (value: Numeric, bound: Numeric) => boolean,
  isNative: boolean,
): Check<Numeric> {
  const integerBound = toInt64(bound);
  return (value, run) => {
    if (isNative && isInteger(value, run)) {
      if (!accepts(value, integerBound)) reject(run, value, `should be ${text}${integerBound}`);
    } else if (!accepts(value, bound)) reject(run, value, `should be ${text}${floatText(bound)}`);
  };
}

function multipleOfCheck(factor: number, isNative: boolean): Check<Numeric> {
  const integerFactor = toInt64(factor);
  return (value, run) => {
    const whole = isNative && isInteger(value, run);
    const divisor = whole ? integerFactor : factor;
    const shown = whole ? String(integerFactor) : floatText(factor);
    if (divisor <= 0)
      run.fail((field, name) =>
        invalidFormatted(field, shown, `factor MultipleOf declared for ${name} must be positive: ${shown}`),
      );
    else if (!isMultiple(value, divisor)) reject(run, value, `should be a multiple of ${shown}`);
  };
}

function reject(run: Run, value: Numeric, text: string): void {
  run.fail((field, name) => invalidFormatted(field, numberText(value), `${name} in body ${text}`));
}

function isMultiple(value: Numeric, factor: Numeric): boolean {
  // Go decodes an integer beyond int64 as a float64.
  if (typeof factor === 'number' && (typeof value === 'number' || !isInt64(value))) {
    const double = Number(value);
    if (Number.isSafeInteger(double) && Number.isInteger(factor)) return double % factor === 0;
    // As in the reference: the reciprocal loses less for fractions such as 0.1.
    return isWhole(factor < 1 ? (1 / factor) * double : double / factor);
  }
  return BigInt(value) % BigInt(factor) === 0n;
}
