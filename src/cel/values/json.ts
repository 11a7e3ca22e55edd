import { BinnacleError } from '../../errors/binnacle-error.ts';
import type { ErrorValue } from './error-value.ts';
import type { FieldSelector } from './field-selector.ts';
import { intOf } from './integers.ts';
import { ListValue } from './list.ts';
import { MapValue } from './map.ts';
import { Double } from './scalars.ts';
import { formatDuration, formatTimestamp } from './time.ts';
import type { Value } from './value.ts';

/**
 * Plain JSON as a value: whole numbers are ints, other numbers doubles, objects maps. Members are converted
 * on access.
 */
export function valueOfJson(json: unknown): Value {
  switch (typeof json) {
    case 'string':
    case 'boolean':
      return json;
    case 'number':
      return Number.isSafeInteger(json) ? json + 0 : new Double(json);
    case 'bigint': {
      const int = intOf(json);
      return typeof int === 'object' ? new Double(Number(json)) : int;
    }
    case 'object':
      if (json === null) return null;
      return Array.isArray(json)
        ? new JsonList(json)
        : new JsonMap(json as Readonly<Record<string, unknown>>);
    default:
      return null;
  }
}

/** A JSON array. */
class JsonList extends ListValue {
  private readonly elements: readonly unknown[];
  /** Converted elements other than plain scalars. */
  private converted: Value[] | undefined = undefined;

  constructor(elements: readonly unknown[]) {
    super();
    this.elements = elements;
  }

  get size(): number {
    return this.elements.length;
  }

  get(index: number): Value {
    const converted = this.converted?.[index];
    if (converted !== undefined) return converted;
    const value = valueOfJson(this.elements[index]);
    if (typeof value === 'object' && value !== null) {
      this.converted ??= [];
      this.converted[index] = value;
    }
    return value;
  }
}

/** A JSON object. */
class JsonMap extends MapValue {
  private readonly members: Readonly<Record<string, unknown>>;
  private names: readonly string[] | undefined = undefined;
  /** Converted members other than plain scalars. */
  private converted: Map<string, Value> | undefined = undefined;

  constructor(members: Readonly<Record<string, unknown>>) {
    super();
    this.members = members;
  }

  get size(): number {
    return this.keys().length;
  }

  find(key: Value): Value | undefined {
    return typeof key === 'string' && Object.hasOwn(this.members, key) ? this.read(key) : undefined;
  }

  override select({ name, isInherited }: FieldSelector): Value | undefined {
    return isInherited && !Object.hasOwn(this.members, name) ? undefined : this.read(name);
  }

  private read(name: string): Value | undefined {
    const json = this.members[name];
    if (typeof json === 'string') return json;
    if (json === undefined) return Object.hasOwn(this.members, name) ? null : undefined;
    const known = this.converted?.get(name);
    if (known !== undefined) return known;
    const value = valueOfJson(json);
    if (typeof value === 'object' && value !== null) {
      this.converted ??= new Map();
      this.converted.set(name, value);
    }
    return value;
  }

  keys(): readonly string[] {
    this.names ??= Object.keys(this.members);
    return this.names;
  }
}

/**
 * A value without a JSON form: an error, a type, an opaque value, a map with keys that are not strings, or a
 * value with too many members.
 */
export class JsonConversionError extends BinnacleError {
  override name = 'JsonConversionError';
  readonly code = 'ERR_BINNACLE_JSON_CONVERSION';
}

/** The maximum number of members, over all levels, of a value converted to JSON. */
const MAX_MEMBERS = 1_000_000;

/**
 * Converts a value to plain JSON: times and durations to text, bytes to base64, an optional to its value or
 * null, integers beyond 2^53 to bigint.
 * @throws JsonConversionError
 */
export function jsonOfValue(value: Value): unknown {
  let members = 0;
  const convert = (part: Value): unknown => {
    if (++members > MAX_MEMBERS) throw new JsonConversionError('the value has too many members');
    if (part === null || typeof part !== 'object') return part;
    switch (part.kind) {
      case 'double':
        return part.value;
      case 'uint':
        return part.value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(part.value) : part.value;
      case 'bytes':
        return Buffer.from(part.data).toString('base64');
      case 'timestamp':
        return formatTimestamp(part);
      case 'duration':
        return formatDuration(part);
      case 'optional':
        return part.value === undefined ? null : convert(part.value);
      case 'list':
        return Array.from({ length: Math.min(part.size, MAX_MEMBERS + 1) }, (_, index) =>
          convert(part.get(index)),
        );
      case 'map':
        return Object.fromEntries(part.keys().map((key) => [nameOf(key), convert(part.find(key) ?? null)]));
      default:
        throw new JsonConversionError(
          part.kind === 'error'
            ? (part as ErrorValue).message
            : `a value of type ${part.kind} has no JSON form`,
        );
    }
  };
  return convert(value);
}

function nameOf(key: Value): string {
  if (typeof key === 'string') return key;
  throw new JsonConversionError('a key of the map is not a string');
}
