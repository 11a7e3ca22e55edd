import { equal } from '../equality.ts';
import { ArrayList, ListValue } from '../list.ts';
import { MapValue } from '../map.ts';
import type { Meter } from '../meter.ts';
import type { Value } from '../value.ts';
import { escapePropertyName } from './property-names.ts';
import type { TypedSchema } from './typed-schema.ts';

/** A JSON array whose order is significant. */
export class SchemaList extends ListValue {
  readonly size: number;
  private readonly elements: readonly unknown[];
  private readonly items: TypedSchema;
  /** Converted elements other than plain scalars. */
  private converted: Value[] | undefined = undefined;

  constructor(elements: readonly unknown[], items: TypedSchema) {
    super();
    this.size = elements.length;
    this.elements = elements;
    this.items = items;
  }

  get(index: number): Value {
    const converted = this.converted?.[index];
    if (converted !== undefined) return converted;
    const value = this.items.wrap(this.elements[index]);
    if (typeof value === 'object' && value !== null) {
      this.converted ??= [];
      this.converted[index] = value;
    }
    return value;
  }
}

/**
 * A JSON array with set semantics: as the left operand, `==` ignores the order and `+` adds only new
 * elements; the sum is a set too.
 */
export class SchemaSetList extends SchemaList {
  override equals(other: ListValue, meter: Meter): boolean {
    return equalSets(this, other, meter);
  }

  override concatenate(other: ListValue, meter: Meter): ListValue {
    return uniteSets(this, other, meter);
  }
}

/** A set that an expression has made from one with a schema. */
class SetList extends ArrayList {
  override equals(other: ListValue, meter: Meter): boolean {
    return equalSets(this, other, meter);
  }

  override concatenate(other: ListValue, meter: Meter): ListValue {
    return uniteSets(this, other, meter);
  }
}

function equalSets(set: ListValue, other: ListValue, meter: Meter): boolean {
  if (set.size !== other.size) return false;
  const members = new ScalarIndex(set);
  for (let index = 0; index < other.size; index++) if (!members.has(other.get(index), meter)) return false;
  return true;
}

function uniteSets(set: ListValue, other: ListValue, meter: Meter): ListValue {
  const elements: Value[] = Array.from({ length: set.size }, (_, index) => set.get(index));
  const members = new ScalarIndex(set);
  for (let index = 0; index < other.size; index++) {
    meter.work(1);
    const element = other.get(index);
    if (!members.has(element, meter)) {
      elements.push(element);
      members.add(element);
    }
  }
  return new SetList(elements);
}

/** The members of a set: strings, booleans and ints are indexed, others compared. */
class ScalarIndex {
  private readonly scalars = new Set<Value>();
  private readonly others: Value[] = [];

  constructor(list: ListValue) {
    for (let index = 0; index < list.size; index++) this.add(list.get(index));
  }

  add(value: Value): void {
    if (value === null || typeof value === 'object') this.others.push(value);
    else this.scalars.add(value);
  }

  has(value: Value, meter: Meter): boolean {
    if (typeof value === 'string' || typeof value === 'boolean') return this.scalars.has(value);
    if (this.scalars.has(value)) return true;
    meter.work(this.others.length);
    return this.others.some((other) => equal(other, value, meter));
  }
}

/**
 * A JSON array with map semantics: as the left operand, `==` ignores the order and `+` replaces entries with
 * the same keys; the sum has map semantics too.
 */
export class SchemaMapList extends SchemaList {
  private readonly keyNames: readonly string[];

  constructor(elements: readonly unknown[], items: TypedSchema, keyNames: readonly string[]) {
    super(elements, items);
    this.keyNames = keyNames.map((name) => escapePropertyName(name) ?? name);
  }

  override equals(other: ListValue, meter: Meter): boolean {
    return equalEntries(this, other, this.keyNames, meter);
  }

  override concatenate(other: ListValue, meter: Meter): ListValue {
    return mergeEntries(this, other, this.keyNames, meter);
  }
}

/** A list with map semantics that an expression has made from one with a schema. */
class MapList extends ArrayList {
  constructor(
    elements: readonly Value[],
    private readonly keyNames: readonly string[],
  ) {
    super(elements);
  }

  override equals(other: ListValue, meter: Meter): boolean {
    return equalEntries(this, other, this.keyNames, meter);
  }

  override concatenate(other: ListValue, meter: Meter): ListValue {
    return mergeEntries(this, other, this.keyNames, meter);
  }
}

function equalEntries(list: ListValue, other: ListValue, keyNames: readonly string[], meter: Meter): boolean {
  if (list.size !== other.size) return false;
  const entries = new Map<string, Value>();
  for (let index = 0; index < list.size; index++) {
    const entry = list.get(index);
    entries.set(keyOf(entry, keyNames), entry);
  }
  for (let index = 0; index < other.size; index++) {
    const element = other.get(index);
    const mine = entries.get(keyOf(element, keyNames));
    if (mine === undefined || !equal(element, mine, meter)) return false;
  }
  return true;
}

function mergeEntries(
  list: ListValue,
  other: ListValue,
  keyNames: readonly string[],
  meter: Meter,
): ListValue {
  const elements: Value[] = Array.from({ length: list.size }, (_, index) => list.get(index));
  const positions = new Map(elements.map((element, index) => [keyOf(element, keyNames), index] as const));
  for (let index = 0; index < other.size; index++) {
    meter.work(1);
    const element = other.get(index);
    const key = keyOf(element, keyNames);
    const position = positions.get(key);
    if (position === undefined) positions.set(key, elements.push(element) - 1);
    else elements[position] = element;
  }
  return new MapList(elements, keyNames);
}

/** The identity of an entry: the values of its keys with their types. */
function keyOf(element: Value, keyNames: readonly string[]): string {
  const parts = keyNames.map((name) => {
    const value = element instanceof MapValue ? element.find(name) : undefined;
    if (value === undefined || value === null || typeof value !== 'object')
      return `${typeof value} ${String(value)}`;
    return value.kind === 'double' ? `double ${value.value}` : value.kind;
  });
  return JSON.stringify(parts);
}
