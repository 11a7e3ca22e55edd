import { quote } from '../../errors/quote.ts';
import type { Frame } from '../planner/frame.ts';
import { ErrorValue } from '../values/error-value.ts';
import type { ListValue } from '../values/list.ts';
import { Bytes, Double, Uint } from '../values/scalars.ts';
import { isError, runtimeTypeName, type Value } from '../values/value.ts';
import { textOf } from './conversions.ts';
import { formatFixed, formatScientific } from './format-numbers.ts';
import { type FormatClause, readFormatClause } from './format-syntax.ts';
import { countCreatedText } from './limits.ts';

const DEFAULT_PRECISION = 6;
/** The maximum precision of a clause. */
const MAX_PRECISION = 1000;

/** The reason why a clause is rejected; becomes the call's error. */
class FormatError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** `text.format(arguments)`. */
export function formatText(frame: Frame, text: string, args: ListValue): Value {
  const pieces: string[] = [];
  let next = 0;
  const push = (piece: string): void => {
    countCreatedText(frame, piece.length);
    pieces.push(piece);
  };
  try {
    for (let position = 0; position < text.length; ) {
      const percent = text.indexOf('%', position);
      if (percent < 0) {
        push(text.slice(position));
        break;
      }
      push(text.slice(position, percent));
      if (text[percent + 1] === '%') {
        push('%');
        position = percent + 2;
        continue;
      }
      if (next >= args.size) throw new FormatError(`index ${next} out of range`);
      if (percent === text.length - 1) throw new FormatError('unexpected end of string');
      const clause = readFormatClause(text, percent + 1);
      if (typeof clause === 'string') throw new FormatError(`could not parse formatting clause: ${clause}`);
      try {
        push(formatClause(frame, clause, args.get(next++)));
      } catch (error) {
        throw error instanceof FormatError
          ? new FormatError(`error during formatting: ${error.message}`)
          : error;
      }
      position = clause.end;
    }
  } catch (error) {
    if (error instanceof FormatError) return new ErrorValue(error.message);
    throw error;
  }
  return pieces.join('');
}

function formatClause(frame: Frame, { verb, precision }: FormatClause, value: Value): string {
  if (isError(value)) throw new FormatError(value.message);
  switch (verb) {
    case 's':
      return text(frame, value);
    case 'd':
      return integerOf(value, 10) ?? refuse('decimal clause can only be used on integers', value);
    case 'f':
      return formatFixed(
        doubleOf(value) ?? refuse('fixed-point clause can only be used on doubles', value),
        allowed(precision),
      );
    case 'e':
      return formatScientific(
        doubleOf(value) ?? refuse('scientific clause can only be used on doubles', value),
        allowed(precision),
      );
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0';
      return integerOf(value, 2) ?? refuse('only integers and bools can be formatted as binary', value);
    case 'o':
      return integerOf(value, 8) ?? refuse('octal clause can only be used on integers', value);
    default: {
      const digits =
        hexOf(value) ?? refuse('only integers, byte buffers, and strings can be formatted as hex', value);
      return verb === 'X' ? digits.toUpperCase() : digits;
    }
  }
}

/** Only these clauses produce texts whose length depends on the precision. */
function allowed(precision = DEFAULT_PRECISION): number {
  if (precision > MAX_PRECISION) throw new FormatError(`precision ${precision} is too large`);
  return precision;
}

function refuse(what: string, value: Value): never {
  throw new FormatError(`${what}, was given ${runtimeTypeName(value)}`);
}

function integerOf(value: Value, base: number): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value.toString(base);
  return value instanceof Uint ? value.value.toString(base) : undefined;
}

function hexOf(value: Value): string | undefined {
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  return value instanceof Bytes ? Buffer.from(value.data).toString('hex') : integerOf(value, 16);
}

function doubleOf(value: Value): number | undefined {
  if (value instanceof Double) return value.value;
  if (value === 'NaN') return Number.NaN;
  return value === 'Infinity'
    ? Number.POSITIVE_INFINITY
    : value === '-Infinity'
      ? Number.NEGATIVE_INFINITY
      : undefined;
}

const TEXT_REFUSAL =
  'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps';

/** Formats a value for `%s`: scalars as converted to text, lists and maps in the language's syntax. */
function text(frame: Frame, value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'object' && (value.kind === 'list' || value.kind === 'map'))
    return aggregate(frame, value);
  const converted = textOf(value);
  if (typeof converted === 'string') return converted;
  return isError(converted) && value instanceof Bytes ? unreadable(converted) : refuse(TEXT_REFUSAL, value);
}

function unreadable({ message }: ErrorValue): never {
  throw new FormatError(`could not convert argument ${JSON.stringify(message)} to string`);
}

function failed({ message }: ErrorValue): never {
  throw new FormatError(message);
}

function aggregate(frame: Frame, value: Extract<Value, { kind: 'list' | 'map' }>): string {
  if (value.kind === 'list') {
    const pieces: string[] = [];
    for (let index = 0; index < value.size; index++) pieces.push(element(frame, value.get(index)));
    return `[${pieces.join(', ')}]`;
  }
  const entries = value.keys().map((key) => [element(frame, key), value.find(key) ?? null] as const);
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${entries.map(([key, member]) => `${key}:${element(frame, member)}`).join(', ')}}`;
}

/** Formats an element of a list or map. */
function element(frame: Frame, value: Value): string {
  const made = elementText(frame, value);
  countCreatedText(frame, made.length);
  return made;
}

function elementText(frame: Frame, value: Value): string {
  if (isError(value)) return failed(value);
  if (typeof value === 'string') return quote(value, Number.POSITIVE_INFINITY);
  if (value instanceof Double)
    return Number.isFinite(value.value)
      ? formatFixed(value.value, DEFAULT_PRECISION, false)
      : quote(text(frame, value));
  if (typeof value === 'object' && value !== null && (value.kind === 'opaque' || value.kind === 'optional'))
    throw new FormatError(`no formatting function for ${runtimeTypeName(value)}`);
  const plain = text(frame, value);
  if (value === null || typeof value !== 'object') return plain;
  if (value.kind === 'bytes') return `b${quote(plain, Number.POSITIVE_INFINITY)}`;
  return value.kind === 'timestamp' || value.kind === 'duration' ? `${value.kind}("${plain}")` : plain;
}
