import { equal } from './equality.ts';
import type { Meter } from './meter.ts';
import { Double, Uint } from './scalars.ts';
import type { Value } from './value.ts';

/** A map or an object with fields. Values may be made on access. */
export abstract class MapValue {
  readonly kind = 'map';
  abstract readonly size: number;
  /** The value of a key; undefined when there is none. May be an error: a value that doesn't fit its schema. */
  abstract find(key: Value): Value | undefined;
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

/** A map of values at hand. Keys of different number types are different keys, but a look-up finds an equal number of another type. */
export class EntriesMap extends MapValue {
  private readonly entries: ReadonlyMap<unknown, readonly [Value, Value]>;

  private constructor(entries: ReadonlyMap<unknown, readonly [Value, Value]>) {
    super();
    this.entries = entries;
  }

  /** Of entries whose keys are scalars; the last of equal keys wins. Undefined when a key can't be one. */
  static of(entries: Iterable<readonly [Value, Value]>): EntriesMap | undefined {
    const map = new Map<unknown, readonly [Value, Value]>();
    for (const entry of entries) {
      const identity = identityOf(entry[0]);
      if (identity === undefined) return undefined;
      map.set(identity, entry);
    }
    return new EntriesMap(map);
  }

  get size(): number {
    return this.entries.size;
  }

  find(key: Value): Value | undefined {
    if (typeof key === 'string') return this.entries.get(identityOf(key))?.[1];
    const identity = identityOf(key);
    if (identity === undefined || (key instanceof Double && Number.isNaN(key.value))) return undefined;
    const found = this.entries.get(identity);
    if (found !== undefined) return found[1];
    for (const other of equalNumbers(key)) {
      const entry = this.entries.get(other);
      if (entry !== undefined) return entry[1];
    }
    return undefined;
  }

  keys(): readonly Value[] {
    return Array.from(this.entries.values(), ([key]) => key);
  }
}

/** What starts the stand-ins of keys that a Map can't tell apart by itself; texts that start with it get a stand-in too. */
const TAG = '\u0000';

/** What stands for a scalar key in a Map: itself for most, a tagged text for each uint and double. Undefined for what can't be a key. */
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
  const value = typeof key === 'number' || typeof key === 'bigint' ? BigInt(key) : key instanceof Uint ? key.value : wholeOf(key);
  if (value === undefined) return [];
  const number = Number(value);
  const identities: unknown[] = [Number.isSafeInteger(number) ? number : value, uintIdentity(value)];
  if (BigInt(number) === value) identities.push(doubleIdentity(number));
  return identities;
}

function wholeOf(key: Value): bigint | undefined {
  return key instanceof Double && Number.isInteger(key.value) ? BigInt(key.value) : undefined;
}
