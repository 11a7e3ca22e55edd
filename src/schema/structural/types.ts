import { quote } from '../../errors/quote.ts';
import { typeInvalidFormatted } from '../../status/field-error.ts';
import type { Check } from './checks.ts';
import { isInt64 } from './go-text.ts';
import { isContainer } from './json.ts';
import type { ValueSchema } from './value-schema.ts';

type JsonType = 'array' | 'boolean' | 'integer' | 'null' | 'number' | 'object' | 'string';

/** Returns the type of a JSON value. Integers are whole numbers that a double or an int64 holds exactly. */
export function typeOf(value: unknown): JsonType {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'integer' : 'number';
  if (typeof value === 'bigint') return isInt64(value) ? 'integer' : 'number';
  if (!isContainer(value)) return value === null || value === undefined ? 'null' : (typeof value as JsonType);
  return Array.isArray(value) ? 'array' : 'object';
}

/** Relative difference from a whole number that counts as rounding, as in the reference. */
const ROUNDING = 1e-9;

/** Returns whether a number is whole, apart from rounding, and below 2^53. */
export function isWhole(value: number): boolean {
  const size = Math.abs(value);
  const whole = Math.trunc(size);
  if (size > Number.MAX_SAFE_INTEGER) return false;
  return size === whole || (whole !== 0 && (size - whole) / (size + whole) < ROUNDING);
}

/** Formats of JSON numbers, which the reference reports instead of the type if the schema has a format. */
const NUMBER_FORMATS: Readonly<Record<string, string>> = { integer: 'int64', number: 'float64' };

const isNumeric = (type: string): boolean => type === 'integer' || type === 'number';

/** Compiles the check of the type and of the format of numbers. `undefined`: every value passes. */
export function compileTypeCheck(schema: ValueSchema): Check<unknown> | undefined {
  const { type = '', nullable, isIntOrString } = schema;
  const hasFormat = schema.format !== undefined;
  const reject = (expected: string, actual: string): Rejection => ({ expected, actual: quote(actual) });
  const check = (value: unknown): Rejection | undefined => {
    const actual = typeOf(value);
    if (actual === 'null')
      return nullable === true ? undefined : reject(type === '' ? 'integer,string' : type, 'null');
    if (isIntOrString === true)
      return actual === 'integer' || actual === 'string' ? undefined : reject('integer,string', actual);
    if (type === actual || (type === 'number' && actual === 'integer')) return undefined;
    if (type === 'integer' && typeof value === 'number' && isWhole(value)) return undefined;
    if (!hasFormat) return reject(type, actual);
    if (actual !== 'string' && actual !== 'array')
      return reject(schema.format!, NUMBER_FORMATS[actual] ?? '');
    // The format is the only check of a text or list where no number is wanted.
    return isNumeric(type) ? reject(type, actual) : undefined;
  };
  if (type === '' && isIntOrString !== true) return undefined;
  return (value, run) => {
    if (type === 'string' && typeof value === 'string') return;
    const rejection = check(value);
    if (rejection === undefined) return;
    const { expected, actual } = rejection;
    run.fail((field, name) =>
      typeInvalidFormatted(field, actual, `${name} in body must be of type ${expected}: ${actual}`),
    );
  };
}

interface Rejection {
  readonly expected: string;
  /** Quoted. */
  readonly actual: string;
}
