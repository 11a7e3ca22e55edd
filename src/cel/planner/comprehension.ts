import { ErrorValue, NO_SUCH_OVERLOAD } from '../values/error-value.ts';
import { ArrayList, ListValue } from '../values/list.ts';
import { MapValue } from '../values/map.ts';
import { isError, type Value } from '../values/value.ts';
import type { Frame } from './frame.ts';
import { firstFailure } from './logic.ts';
import type { Evaluate } from './step.ts';

/** A comprehension once planned: where its variables are kept and how its parts are evaluated. */
export interface PlannedComprehension {
  readonly range: Evaluate;
  /** The slot of the element, or of the index or key of two-variable forms. */
  readonly variable: number;
  /** The slot of the element or value of two-variable forms. */
  readonly secondVariable: number | undefined;
  readonly accumulator: number;
  /** Evaluates the accumulator's first value where it costs nothing; otherwise its first reader does (see `LAZY`). */
  readonly initial: Evaluate | undefined;
  readonly condition: Evaluate;
  readonly step: Evaluate;
  readonly result: Evaluate;
}

/** What is walked, and the slots that follow. */
export type Walked = Pick<PlannedComprehension, 'range' | 'variable' | 'secondVariable'>;

/** Stands in an accumulator's slot until it is read the first time. */
export const LAZY: Value = new ErrorValue('not evaluated');

/** Calls `visit` for each element until it returns false. An error when the range can't be walked. */
function walk(frame: Frame, range: Value, plan: Walked, visit: () => boolean): ErrorValue | undefined {
  const { variable, secondVariable } = plan;
  const { slots } = frame;
  if (range instanceof ListValue) {
    for (let index = 0; index < range.size; index++) {
      if (secondVariable === undefined) slots[variable] = range.get(index);
      else {
        slots[variable] = index;
        slots[secondVariable] = range.get(index);
      }
      if (!visit()) return undefined;
      frame.iterate();
    }
    return undefined;
  }
  if (range instanceof MapValue) {
    for (const key of range.keys()) {
      slots[variable] = key;
      if (secondVariable !== undefined) slots[secondVariable] = range.find(key) ?? null;
      if (!visit()) return undefined;
      frame.iterate();
    }
    return undefined;
  }
  if (isError(range)) return range;
  return secondVariable === undefined ? new ErrorValue('got a value that is no list or map, expected iterable type') : NO_SUCH_OVERLOAD;
}

/** Evaluates any comprehension as written. */
export function evaluateComprehension(plan: PlannedComprehension): Evaluate {
  const { range, accumulator, initial, condition, step, result } = plan;
  return (frame) => {
    const { slots } = frame;
    const over = range(frame);
    slots[accumulator] = initial === undefined ? LAZY : initial(frame);
    const failed = walk(frame, over, plan, () => {
      if (condition(frame) === false) return false;
      slots[accumulator] = step(frame);
      return true;
    });
    return failed ?? result(frame);
  };
}

/** The shape of `all` and `exists`: the accumulator holds until an element decides. */
export interface Quantifier {
  /** Evaluates the predicate. */
  readonly predicate: Evaluate;
  /** The value that decides: false for `all`, true for `exists`. */
  readonly deciding: boolean;
  /** What the condition costs each time. */
  readonly conditionCost: number;
}

/** Evaluates `all` and `exists` with the costs of their expansion. */
export function evaluateQuantifier(plan: Walked, { predicate, deciding, conditionCost }: Quantifier): Evaluate {
  const { range } = plan;
  return (frame) => {
    let held: Value = !deciding;
    const failed = walk(frame, range(frame), plan, () => {
      frame.chargeSteps(conditionCost);
      if (held === deciding) return false;
      // The accumulator is read, then the predicate.
      if (++frame.cost > frame.most) frame.charge(0);
      const value = predicate(frame);
      if (value === deciding) held = deciding;
      else if (typeof value !== 'boolean' || typeof held !== 'boolean') held = firstFailure(held, value);
      return true;
    });
    if (failed !== undefined) return failed;
    frame.charge(1);
    return held;
  };
}

/** The shape of `map` and `filter`: lists that are appended to the accumulator, maybe on a condition. */
export interface Collector {
  readonly predicate: Evaluate | undefined;
  /** Evaluates the list of what is appended. */
  readonly appended: Evaluate;
}

/** Evaluates `map` and `filter` with the costs of their expansion, without a new list for each element. */
export function evaluateCollector(plan: Walked, { predicate, appended }: Collector): Evaluate {
  const { range } = plan;
  return (frame) => {
    const elements: Value[] = [];
    let held: ErrorValue | undefined;
    const failed = walk(frame, range(frame), plan, () => {
      if (predicate !== undefined) {
        const decision = predicate(frame);
        if (decision === false) return true;
        if (decision !== true) {
          held = isError(decision) ? decision : NO_SUCH_OVERLOAD;
          return true;
        }
      }
      frame.charge(1);
      const list = appended(frame);
      frame.charge(1);
      if (held !== undefined) return true;
      if (list instanceof ListValue) for (let index = 0; index < list.size; index++) elements.push(list.get(index));
      else held = isError(list) ? list : NO_SUCH_OVERLOAD;
      return true;
    });
    if (failed !== undefined) return failed;
    frame.charge(1);
    return held ?? new ArrayList(elements);
  };
}
