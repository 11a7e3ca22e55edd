import { invalidFormatted } from '../../status/field-error.ts';
import type { Check } from './checks.ts';
import { floatText, numberText } from './go-text.ts';
import type { Run } from './run.ts';
import { isWhole } from './types.ts';
import type { ValueSchema } from './value-schema.ts';

/** Compiles the checks of the bounds of numbers and of `multipleOf`. */
export function compileNumberChecks(schema: ValueSchema): Check<number | bigint> | undefined {
  const { maximum, exclusiveMaximum, minimum, exclusiveMinimum, multipleOf } = schema;
  const checks: Check<number | bigint>[] = [];
  if (multipleOf !== undefined && multipleOf > 0)
    checks.push((value, run) => {
      if (!isMultiple(value, multipleOf)) reject(run, value, 'a multiple of ', multipleOf);
    });
  if (maximum !== undefined) {
    const text = `less than ${exclusiveMaximum === true ? '' : 'or equal to '}`;
    checks.push((value, run) => {
      if (value > maximum || (exclusiveMaximum === true && isEqual(value, maximum)))
        reject(run, value, text, maximum);
    });
  }
  if (minimum !== undefined) {
    const text = `greater than ${exclusiveMinimum === true ? '' : 'or equal to '}`;
    checks.push((value, run) => {
      if (value < minimum || (exclusiveMinimum === true && isEqual(value, minimum)))
        reject(run, value, text, minimum);
    });
  }
  if (checks.length <= 1) return checks[0];
  return (value, run) => {
    for (const check of checks) check(value, run);
  };
}

const isEqual = (value: number | bigint, bound: number): boolean => !(value < bound) && !(value > bound);

function reject(run: Run, value: number | bigint, text: string, bound: number): void {
  const isInteger = typeof value === 'bigint' || Number.isSafeInteger(value);
  const formatted = isInteger && Number.isInteger(bound) ? String(BigInt(bound)) : floatText(bound);
  run.fail((field, name) =>
    invalidFormatted(field, numberText(value), `${name} in body should be ${text}${formatted}`),
  );
}

function isMultiple(value: number | bigint, factor: number): boolean {
  if (typeof value === 'bigint' && Number.isInteger(factor)) return value % BigInt(factor) === 0n;
  const number = Number(value);
  if (Number.isSafeInteger(number) && Number.isInteger(factor)) return number % factor === 0;
  // As in the reference: the reciprocal loses less for fractions such as 0.1.
  return isWhole(factor < 1 ? (1 / factor) * number : number / factor);
}
