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
 * elements.
 */
export class SchemaSetList extends SchemaList {
  override equals(other: ListValue, meter: Meter): boolean {
    if (this.size !== other.size) return false;
    const members = new ScalarIndex(this);
    for (let index = 0; index < other.size; index++) if (!members.has(other.get(index), meter)) return false;
    return true;
  }

  override concatenate(other: ListValue, meter: Meter): ListValue {
    const elements: Value[] = Array.from({ length: this.size }, (_, index) => this.get(index));
    const members = new ScalarIndex(this);
    for (let index = 0; index < other.size; index++) {
      meter.work(1);
      const element = other.get(index);
      if (!members.has(element, meter)) {
        elements.push(element);
        members.add(element);
      }
    }
    return new ArrayList(elements);
  }
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
 * the same keys.
 */
export class SchemaMapList extends SchemaList {
  private readonly keyNames: readonly string[];

  constructor(elements: readonly unknown[], items: TypedSchema, keyNames: readonly string[]) {
    super(elements, items);
    this.keyNames = keyNames.map((name) => escapePropertyName(name) ?? name);
  }

  override equals(other: ListValue, meter: Meter): boolean {
    if (this.size !== other.size) return false;
    const entries = new Map<string, Value>();
    for (let index = 0; index < this.size; index++) entries.set(this.keyOf(this.get(index)), this.get(index));
    for (let index = 0; index < other.size; index++) {
      const element = other.get(index);
      const mine = entries.get(this.keyOf(element));
      if (mine === undefined || !equal(element, mine, meter)) return false;
    }
    return true;
  }

  override concatenate(other: ListValue, meter: Meter): ListValue {
    const elements: Value[] = Array.from({ length: this.size }, (_, index) => this.get(index));
    const positions = new Map(elements.map((element, index) => [this.keyOf(element), index] as const));
    for (let index = 0; index < other.size; index++) {
      meter.work(1);
      const element = other.get(index);
      const key = this.keyOf(element);
      const position = positions.get(key);
      if (position === undefined) positions.set(key, elements.push(element) - 1);
      else elements[position] = element;
    }
    return new ArrayList(elements);
  }

  /** The identity of an entry: the values of its keys with their types. */
  private keyOf(element: Value): string {
    const parts = this.keyNames.map((name) => {
      const value = element instanceof MapValue ? element.find(name) : undefined;
      if (value === undefined || value === null || typeof value !== 'object')
        return `${typeof value} ${String(value)}`;
      return value.kind === 'double' ? `double ${value.value}` : value.kind;
    });
    return JSON.stringify(parts);
  }
}
