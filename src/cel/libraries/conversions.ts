import { parseGoBoolean } from '../../model/go-boolean.ts';
import { firstOnce } from '../cost/runtime.ts';
import { formatDouble, parseDouble } from '../values/doubles.ts';
import { ErrorValue, INTEGER_OVERFLOW, NO_SUCH_OVERLOAD, UNSIGNED_OVERFLOW } from '../values/error-value.ts';
import { intOf, uintOf } from '../values/integers.ts';
import { Bytes, Double, Uint } from '../values/scalars.ts';
import {
  type Duration,
  formatDuration,
  formatTimestamp,
  parseDuration,
  parseTimestamp,
  type Timestamp,
  timestampOf,
} from '../values/time.ts';
import { TypeValue } from '../values/type-value.ts';
import { runtimeTypeName, type Value } from '../values/value.ts';
import type { CelFunction, Overload } from './function.ts';

/** An overload of one argument with its conversion. */
const one = (id: string, kind: string, convert: (value: never) => Value): Overload => ({
  id,
  arguments: [kind],
  invoke: (_frame, value) => convert(value as never),
});

const same = (value: Value): Value => value;
const fails = (from: string, to: string): ErrorValue =>
  new ErrorValue(`type conversion error from '${from}' to '${to}'`);

const boolOf = (text: string): Value => parseGoBoolean(text) ?? fails('string', 'bool');

function intOfText(text: string): Value {
  if (!/^[+-]?\d{1,1000}$/.test(text)) return fails('string', 'int');
  const int = intOf(BigInt(text.startsWith('+') ? text.slice(1) : text));
  return typeof int === 'object' ? fails('string', 'int') : int;
}

function uintOfText(text: string): Value {
  if (!/^\d{1,1000}$/.test(text)) return fails('string', 'uint');
  const uint = uintOf(BigInt(text));
  return uint instanceof Uint ? uint : fails('string', 'uint');
}

/**
 * The integer part of a double. The bounds themselves are out of range, because a double cannot distinguish
 * them from larger values.
 */
function intOfDouble({ value }: Double): Value {
  return value > -(2 ** 63) && value < 2 ** 63 ? intOf(BigInt(Math.trunc(value))) : INTEGER_OVERFLOW;
}

function uintOfDouble({ value }: Double): Value {
  return value >= 0 && value < 2 ** 64 ? new Uint(BigInt(Math.trunc(value))) : UNSIGNED_OVERFLOW;
}

function textOfBytes({ data }: Bytes): Value {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    return new ErrorValue('invalid UTF-8 in bytes, cannot convert to string');
  }
}

/** Conversions between types. */
export const CONVERSIONS: readonly CelFunction[] = [
  { name: 'bool', overloads: [one('bool_to_bool', 'bool', same), one('string_to_bool', 'string', boolOf)] },
  {
    name: 'bytes',
    overloads: [
      one('bytes_to_bytes', 'bytes', same),
      {
        ...one('string_to_bytes', 'string', (text: string) => new Bytes(Buffer.from(text))),
        cost: firstOnce,
      },
    ],
  },
  {
    name: 'double',
    overloads: [
      one('double_to_double', 'double', same),
      one('int64_to_double', 'int', (value: number | bigint) => new Double(Number(value))),
      one('uint64_to_double', 'uint', ({ value }: Uint) => new Double(Number(value))),
      one('string_to_double', 'string', (text: string) => {
        const value = parseDouble(text);
        return value === undefined ? fails('string', 'double') : new Double(value);
      }),
    ],
  },
  {
    name: 'duration',
    overloads: [
      one('duration_to_duration', 'duration', same),
      // The overload is declared, but every int fails to convert.
      one('int64_to_duration', 'int', () => fails('int', 'google.protobuf.Duration')),
      one(
        'string_to_duration',
        'string',
        (text: string) => parseDuration(text) ?? fails('string', 'google.protobuf.Duration'),
      ),
    ],
  },
  { name: 'dyn', overloads: [one('to_dyn', 'any', same)] },
  {
    name: 'int',
    overloads: [
      one('int64_to_int64', 'int', same),
      one('uint64_to_int64', 'uint', ({ value }: Uint) => intOf(value)),
      one('double_to_int64', 'double', intOfDouble),
      one('string_to_int64', 'string', intOfText),
      one('duration_to_int64', 'duration', ({ nanos }: Duration) => intOf(nanos)),
      one('timestamp_to_int64', 'timestamp', ({ seconds }: Timestamp) => seconds),
    ],
  },
  {
    name: 'string',
    overloads: [
      one('string_to_string', 'string', same),
      one('bool_to_string', 'bool', String),
      one('int64_to_string', 'int', String),
      one('uint64_to_string', 'uint', ({ value }: Uint) => String(value)),
      one('double_to_string', 'double', ({ value }: Double) => formatDouble(value)),
      { ...one('bytes_to_string', 'bytes', textOfBytes), cost: firstOnce },
      one('duration_to_string', 'duration', formatDuration),
      one('timestamp_to_string', 'timestamp', formatTimestamp),
    ],
  },
  {
    name: 'timestamp',
    overloads: [
      one('timestamp_to_timestamp', 'timestamp', same),
      one('int64_to_timestamp', 'int', (seconds: number | bigint) => timestampOf(Number(seconds), 0)),
      one(
        'string_to_timestamp',
        'string',
        (text: string) => parseTimestamp(text) ?? fails('string', 'google.protobuf.Timestamp'),
      ),
    ],
  },
  { name: 'type', overloads: [one('type', 'any', (value: Value) => new TypeValue(runtimeTypeName(value)))] },
  {
    name: 'uint',
    overloads: [
      one('uint64_to_uint64', 'uint', same),
      one('int64_to_uint64', 'int', (value: number | bigint) => uintOf(BigInt(value))),
      one('double_to_uint64', 'double', uintOfDouble),
      one('string_to_uint64', 'string', uintOfText),
    ],
  },
];

/** The text of a scalar as returned by `string(value)`; an error for values without one. */
export function textOf(value: Value): Value {
  if (typeof value === 'string') return value;
  if (value === null) return NO_SUCH_OVERLOAD;
  if (typeof value !== 'object') return String(value);
  switch (value.kind) {
    case 'double':
      return formatDouble(value.value);
    case 'uint':
      return String(value.value);
    case 'bytes':
      return textOfBytes(value);
    case 'timestamp':
      return formatTimestamp(value);
    case 'duration':
      return formatDuration(value);
    case 'type':
      return value.name;
    default:
      return NO_SUCH_OVERLOAD;
  }
}
