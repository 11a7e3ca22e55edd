import { equal } from './equality.ts';
import type { FieldSelector } from './field-selector.ts';
import type { Meter } from './meter.ts';
import { Double, Uint } from './scalars.ts';
import type { Value } from './value.ts';

/** A map or an object with fields. Values can be created on access. */
export abstract class MapValue {
  readonly kind = 'map';
  abstract readonly size: number;
  /** The value of a key; undefined when absent. Can be an error: a value that violates its schema. */
  abstract find(key: Value): Value | undefined;
  /** The same for a field name in an expression. */
  select(selector: FieldSelector): Value | undefined {
    return this.find(selector.name);
  }

  /** The keys in their order. */
  abstract keys(): readonly Value[];

  /** Whether this map equals another: the same keys with equal values. */
  equals(other: MapValue, meter: Meter): boolean {
    if (this.size !== other.size) return false;
    for (const key of this.keys()) {
      const mine = this.find(key);
      const theirs = other.find(key);
      if (mine === undefined || theirs === undefined || !equal(mine, theirs, meter)) return false;
    }
    return true;
  }
}

/** An entry with its position among the entries inserted into its table. */
type Entry = readonly [key: Value, value: Value, place: number];

/**
 * A map of existing values. Keys of different number types are different keys, but a look-up finds an equal
 * number of another type. A map extended by one entry shares its table with the original, so that building a
 * map entry by entry makes no copies.
 */
export class EntriesMap extends MapValue {
  private readonly table: Map<unknown, Entry>;
  /** Table entries from this position on belong to extended maps. */
  readonly size: number;

  private constructor(table: Map<unknown, Entry>) {
    super();
    this.table = table;
    this.size = table.size;
  }

  /**
   * Creates a map from entries with scalar keys; the last of equal keys wins. Undefined when a key is not
   * allowed.
   */
  static of(entries: Iterable<readonly [Value, Value]>): EntriesMap | undefined {
    const table = new Map<unknown, Entry>();
    for (const [key, value] of entries) {
      const identity = identityOf(key);
      if (identity === undefined) return undefined;
      table.set(identity, [key, value, table.get(identity)?.[2] ?? table.size]);
    }
    return new EntriesMap(table);
  }

  /** A map with one additional entry, whose key must be new. Undefined when the key is not allowed. */
  with(key: Value, value: Value): EntriesMap | undefined {
    const identity = identityOf(key);
    if (identity === undefined) return undefined;
    const latest = this.table.size === this.size;
    const table = latest
      ? this.table
      : new Map([...this.table].filter(([, [, , place]]) => place < this.size));
    table.set(identity, [key, value, this.size]);
    return new EntriesMap(table);
  }

  find(key: Value): Value | undefined {
    if (typeof key === 'string') return this.valueAt(identityOf(key));
    const identity = identityOf(key);
    if (identity === undefined || (key instanceof Double && Number.isNaN(key.value))) return undefined;
    const found = this.valueAt(identity);
    if (found !== undefined) return found;
    for (const other of equalNumbers(key)) {
      const value = this.valueAt(other);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  keys(): readonly Value[] {
    const keys: Value[] = [];
    for (const [key] of this.table.values()) {
      if (keys.length === this.size) break;
      keys.push(key);
    }
    return keys;
  }

  private valueAt(identity: unknown): Value | undefined {
    const entry = this.table.get(identity);
    return entry === undefined || entry[2] >= this.size ? undefined : entry[1];
  }
}

/**
 * Prefix of the substitutes for keys that a JavaScript Map cannot distinguish; texts with this prefix get a
 * substitute too.
 */
const TAG = '\u0000';

/**
 * The JavaScript Map key of a scalar: the value itself for most, a tagged text for uints and doubles.
 * Undefined for values that cannot be keys.
 */
function identityOf(key: Value): unknown {
  if (typeof key === 'string') return key.startsWith(TAG) ? `${TAG}s${key}` : key;
  if (key === null || typeof key !== 'object') return key;
  if (key instanceof Uint) return uintIdentity(key.value);
  if (key instanceof Double) return doubleIdentity(key.value);
  return undefined;
}

const uintIdentity = (value: bigint): string => `${TAG}u${value}`;
const doubleIdentity = (value: number): string => `${TAG}d${value}`;

function equalNumbers(key: Value): unknown[] {
  const value =
    typeof key === 'number' || typeof key === 'bigint'
      ? BigInt(key)
      : key instanceof Uint
        ? key.value
        : wholeOf(key);
  if (value === undefined) return [];
  const number = Number(value);
  const identities: unknown[] = [Number.isSafeInteger(number) ? number : value, uintIdentity(value)];
  if (BigInt(number) === value) identities.push(doubleIdentity(number));
  return identities;
}

function wholeOf(key: Value): bigint | undefined {
  return key instanceof Double && Number.isInteger(key.value) ? BigInt(key.value) : undefined;
}
