import { equal } from './equality.ts';
import type { Meter } from './meter.ts';
import type { Value } from './value.ts';

/** A list. Elements can be created on access. */
export abstract class ListValue {
  readonly kind = 'list';
  abstract readonly size: number;
  /** The element at an index from 0 to `size` - 1. */
  abstract get(index: number): Value;

  /** Whether this list, as the left operand, equals another. */
  equals(other: ListValue, meter: Meter): boolean {
    if (this.size !== other.size) return false;
    for (let index = 0; index < this.size; index++)
      if (!equal(this.get(index), other.get(index), meter)) return false;
    return true;
  }

  /** This list as the left operand of `+`. */
  concatenate(other: ListValue, _meter: Meter): ListValue {
    if (other.size === 0) return this;
    return this.size === 0 ? other : new ConcatenatedList(this, other);
  }

  /** Whether the list contains an element equal to a value. */
  contains(value: Value, meter: Meter): boolean {
    for (let index = 0; index < this.size; index++) if (equal(value, this.get(index), meter)) return true;
    return false;
  }
}

/** A list of existing values. */
export class ArrayList extends ListValue {
  readonly elements: readonly Value[];

  constructor(elements: readonly Value[]) {
    super();
    this.elements = elements;
  }

  get size(): number {
    return this.elements.length;
  }

  get(index: number): Value {
    return this.elements[index]!;
  }
}

/**
 * A list of texts from `split` and `findAll`. Callers that convert results distinguish it from other lists,
 * like the reference.
 */
export class TextList extends ArrayList {}

/**
 * A concatenation of at most this many elements is flattened on first access; longer ones are looked up
 * through their parts.
 */
const MAX_FLATTENED_ELEMENTS = 100_000;

/**
 * A concatenation of two lists without copying: doubling a list repeatedly has a constant cost per step and
 * must not take exponential memory.
 */
export class ConcatenatedList extends ListValue {
  readonly size: number;
  private readonly left: ListValue;
  private readonly right: ListValue;
  private elements: Value[] | undefined;

  constructor(left: ListValue, right: ListValue) {
    super();
    this.left = left;
    this.right = right;
    this.size = left.size + right.size;
  }

  get(index: number): Value {
    if (this.size <= MAX_FLATTENED_ELEMENTS) {
      this.elements ??= this.flatten();
      return this.elements[index]!;
    }
    let list: ListValue = this;
    let position = index;
    while (list instanceof ConcatenatedList) {
      if (position < list.left.size) list = list.left;
      else {
        position -= list.left.size;
        list = list.right;
      }
    }
    return list.get(position);
  }

  private flatten(): Value[] {
    const elements: Value[] = [];
    const pending: ListValue[] = [this];
    for (let list = pending.pop(); list !== undefined; list = pending.pop()) {
      if (list instanceof ConcatenatedList && list.elements === undefined)
        pending.push(list.right, list.left);
      else for (let index = 0; index < list.size; index++) elements.push(list.get(index));
    }
    return elements;
  }
}

export const EMPTY_LIST: ListValue = new ArrayList([]);
