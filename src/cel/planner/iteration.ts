import { ErrorValue, NO_SUCH_OVERLOAD } from '../values/error-value.ts';
import { ArrayList, ListValue } from '../values/list.ts';
import { MapValue } from '../values/map.ts';
import { isError, type Value } from '../values/value.ts';
import type { Frame } from './frame.ts';
import type { Evaluate } from './step.ts';

/** The range of a comprehension and the slots of its variables. */
export interface IterationPlan {
  readonly range: Evaluate;
  /** The slot of the element; in two-variable forms that of the index or key. */
  readonly variable: number;
  /** The slot of the element or value in two-variable forms. */
  readonly secondVariable: number | undefined;
}

/** The successive values of the variables. */
export interface Iteration {
  readonly size: number;
  readonly first: ListValue;
  /** Only in two-variable forms. */
  readonly second: ListValue | undefined;
}

/** Evaluates the range; an error when it cannot be iterated. */
export function startIteration(
  frame: Frame,
  { range, secondVariable }: IterationPlan,
): Iteration | ErrorValue {
  const value = range(frame);
  const isPaired = secondVariable !== undefined;
  if (value instanceof ListValue) {
    const { size } = value;
    return isPaired
      ? { size, first: new Indices(size), second: value }
      : { size, first: value, second: undefined };
  }
  if (value instanceof MapValue) {
    const keys = new ArrayList(value.keys());
    return { size: keys.size, first: keys, second: isPaired ? new MemberValues(value, keys) : undefined };
  }
  if (isError(value)) return value;
  return isPaired
    ? NO_SUCH_OVERLOAD
    : new ErrorValue('got a value that is not a list or map, expected iterable type');
}

/** Assigns the variables for one iteration. */
export function advance(
  { slots }: Frame,
  { variable, secondVariable }: IterationPlan,
  { first, second }: Iteration,
  index: number,
): void {
  slots[variable] = first.get(index);
  if (second !== undefined) slots[secondVariable!] = second.get(index);
}

/** The numbers from 0. */
class Indices extends ListValue {
  readonly size: number;

  constructor(size: number) {
    super();
    this.size = size;
  }

  get(index: number): Value {
    return index;
  }
}

/** The values of a map in the order of its keys. */
class MemberValues extends ListValue {
  private readonly map: MapValue;
  private readonly keys: ListValue;

  constructor(map: MapValue, keys: ListValue) {
    super();
    this.map = map;
    this.keys = keys;
  }

  get size(): number {
    return this.keys.size;
  }

  get(index: number): Value {
    return this.map.find(this.keys.get(index)) ?? null;
  }
}
