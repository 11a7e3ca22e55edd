import {
  type FieldError,
  invalidFormatted,
  tooLong,
  typeInvalidFormatted,
} from '../../status/field-error.ts';
import { hasFormat } from './formats.ts';
import { matchesPattern } from './patterns.ts';
import type { Place } from './validate-value.ts';
import type { ValueSchema } from './value-schema.ts';

type JsonType = 'array' | 'boolean' | 'integer' | 'null' | 'number' | 'object' | 'string';

function typeOf(value: unknown): JsonType {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as 'boolean' | 'object' | 'string';
}

/** Formats of JSON numbers. A format in the schema must match, unless the type is numeric. */
const NUMBER_FORMATS: Readonly<Record<string, string>> = { integer: 'int64', number: 'double' };

/** Validates the type and the number format. `x-kubernetes-int-or-string` values have no single type. */
export function validateType(
  value: unknown,
  { type = '', format = '', nullable, isIntOrString }: ValueSchema,
  place: Place,
): FieldError[] {
  const actual = typeOf(value);
  const reject = (expected: string, formatted: string): FieldError[] => {
    const quoted = JSON.stringify(formatted);
    const text = `${place.name} in body must be of type ${expected}: ${quoted}`;
    return [typeInvalidFormatted(place.field, quoted, text)];
  };
  if (actual === 'null')
    return nullable === true || (type === '' && isIntOrString !== true)
      ? []
      : reject(type === '' ? 'integer,string' : type, 'null');
  if (isIntOrString === true)
    return actual === 'integer' || actual === 'string' ? [] : reject('integer,string', actual);
  if (type === '') return [];
  const fits = type === actual || (type === 'number' && actual === 'integer');
  if (fits) return [];
  const numberFormat = NUMBER_FORMATS[actual] ?? '';
  const isText = actual === 'string' || actual === 'array';
  if (!isText && format !== '' && format !== numberFormat && !isNumeric(type))
    return reject(format, numberFormat);
  return reject(type, actual);
}

const isNumeric = (type: string): boolean => type === 'integer' || type === 'number';

/** Validates bounds of numbers; lengths, patterns and formats of strings. */
export function validateScalar(value: unknown, schema: ValueSchema, place: Place): FieldError[] {
  if (typeof value === 'number' || typeof value === 'bigint') return validateNumber(value, schema, place);
  return typeof value === 'string' ? validateText(value, schema, place) : [];
}

function validateNumber(value: number | bigint, schema: ValueSchema, place: Place): FieldError[] {
  const { maximum, exclusiveMaximum, minimum, exclusiveMinimum, multipleOf } = schema;
  const reject = (text: string): FieldError =>
    invalidFormatted(place.field, String(value), `${place.name} in body should be ${text}`);
  const errors: FieldError[] = [];
  if (multipleOf !== undefined && multipleOf > 0 && !isMultiple(value, multipleOf))
    errors.push(reject(`a multiple of ${multipleOf}`));
  if (
    maximum !== undefined &&
    (value > maximum || (exclusiveMaximum === true && Number(value) === maximum))
  ) {
    errors.push(reject(`less than ${exclusiveMaximum === true ? '' : 'or equal to '}${maximum}`));
  }
  if (
    minimum !== undefined &&
    (value < minimum || (exclusiveMinimum === true && Number(value) === minimum))
  ) {
    errors.push(reject(`greater than ${exclusiveMinimum === true ? '' : 'or equal to '}${minimum}`));
  }
  return errors;
}

function isMultiple(value: number | bigint, factor: number): boolean {
  if (typeof value === 'bigint')
    return Number.isInteger(factor)
      ? value % BigInt(factor) === 0n
      : Number.isInteger(Number(value) / factor);
  return Number.isInteger(value / factor);
}

function validateText(value: string, schema: ValueSchema, place: Place): FieldError[] {
  const { maxLength, minLength, pattern, format = '', type = '' } = schema;
  const reject = (text: string): FieldError =>
    invalidFormatted(place.field, JSON.stringify(value), `${place.name} in body should ${text}`);
  const errors: FieldError[] = [];
  const length = maxLength === undefined && minLength === undefined ? 0 : codePoints(value);
  if (maxLength !== undefined && length > maxLength) {
    errors.push(tooLong(place.field, maxLength));
  }
  if (minLength !== undefined && length < minLength)
    errors.push(reject(`be at least ${minLength} chars long`));
  if (pattern !== undefined && pattern !== '' && !matchesPattern(pattern, value))
    errors.push(reject(`match '${pattern}'`));
  if (format !== '' && (type === '' || type === 'string') && !hasFormat(format, value)) {
    const text = `${place.name} in body must be of type ${format}: ${JSON.stringify(value)}`;
    errors.push(typeInvalidFormatted(place.field, JSON.stringify(value), text));
  }
  return errors;
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
