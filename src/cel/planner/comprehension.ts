import { ErrorValue, NO_SUCH_OVERLOAD } from '../values/error-value.ts';
import { ArrayList, ListValue } from '../values/list.ts';
import { isError, type Value } from '../values/value.ts';
import { advance, type IterationPlan, startIteration } from './iteration.ts';
import { firstFailure } from './logic.ts';
import type { Evaluate } from './step.ts';

/** A planned comprehension: the slots of its variables and its evaluable parts. */
export interface PlannedComprehension extends IterationPlan {
  readonly accumulator: number;
  /**
   * Evaluates the accumulator's initial value when it is free; otherwise its first read evaluates it (see
   * `LAZY`).
   */
  readonly initial: Evaluate | undefined;
  readonly condition: Evaluate;
  readonly step: Evaluate;
  readonly result: Evaluate;
}

/** Marks an accumulator slot that is evaluated at its first read. */
export const LAZY: Value = new ErrorValue('not evaluated');

/** Evaluates any comprehension as written. */
export function evaluateComprehension(plan: PlannedComprehension): Evaluate {
  const { accumulator, initial, condition, step, result } = plan;
  return (frame) => {
    const { slots } = frame;
    const walk = startIteration(frame, plan);
    slots[accumulator] = initial === undefined ? LAZY : initial(frame);
    if (walk instanceof ErrorValue) return walk;
    for (let index = 0; index < walk.size; index++) {
      advance(frame, plan, walk, index);
      if (condition(frame) === false) break;
      slots[accumulator] = step(frame);
      frame.iterate();
    }
    return result(frame);
  };
}

/** The shape of `all` and `exists`: iterates until an element decides the result. */
export interface Quantifier {
  /** Evaluates the predicate. */
  readonly predicate: Evaluate;
  /** The deciding value: false for `all`, true for `exists`. */
  readonly deciding: boolean;
  /** The cost of the condition per iteration. */
  readonly conditionCost: number;
}

/** Evaluates `all` and `exists` with the costs of their expansion. */
export function evaluateQuantifier(
  plan: IterationPlan,
  { predicate, deciding, conditionCost }: Quantifier,
): Evaluate {
  // The condition, and the accumulator read before the predicate.
  const stepCost = conditionCost + 1;
  return (frame) => {
    const walk = startIteration(frame, plan);
    if (walk instanceof ErrorValue) return walk;
    let accumulated: Value = !deciding;
    for (let index = 0; index < walk.size; index++) {
      advance(frame, plan, walk, index);
      if (accumulated === deciding) {
        frame.chargeSteps(conditionCost);
        break;
      }
      frame.chargeSteps(stepCost);
      const value = predicate(frame);
      if (value === deciding) accumulated = deciding;
      else if (typeof value !== 'boolean' || typeof accumulated !== 'boolean')
        accumulated = firstFailure(accumulated, value);
      frame.iterate();
    }
    frame.charge(1);
    return accumulated;
  };
}

/**
 * Evaluates `exists_one` with the costs of its expansion: whether the predicate is true for exactly one
 * element; visits all elements.
 */
export function evaluateCount(plan: IterationPlan, predicate: Evaluate): Evaluate {
  return (frame) => {
    const walk = startIteration(frame, plan);
    if (walk instanceof ErrorValue) return walk;
    let count = 0;
    let failed: ErrorValue | undefined;
    for (let index = 0; index < walk.size; index++) {
      advance(frame, plan, walk, index);
      const decision = predicate(frame);
      if (decision === true) {
        count++;
        // Reading the accumulator and adding 1.
        frame.chargeSteps(2);
      } else if (decision !== false) failed = isError(decision) ? decision : NO_SUCH_OVERLOAD;
      frame.iterate();
    }
    // Reading the accumulator and comparing it with 1.
    frame.chargeSteps(2);
    return failed ?? count === 1;
  };
}

/** The shape of `map` and `filter`: lists are appended to the accumulator, optionally on a condition. */
export interface Collector {
  readonly predicate: Evaluate | undefined;
  /** Evaluates the list to append. */
  readonly appended: Evaluate;
}

/** Evaluates `map` and `filter` with the costs of their expansion, without a new list for each element. */
export function evaluateCollector(plan: IterationPlan, { predicate, appended }: Collector): Evaluate {
  return (frame) => {
    const walk = startIteration(frame, plan);
    if (walk instanceof ErrorValue) return walk;
    const elements: Value[] = [];
    let failed: ErrorValue | undefined;
    for (let index = 0; index < walk.size; index++) {
      advance(frame, plan, walk, index);
      const decision = predicate === undefined ? true : predicate(frame);
      if (decision === true) {
        frame.chargeSteps(1);
        const list = appended(frame);
        frame.chargeSteps(1);
        if (failed === undefined) failed = append(elements, list);
      } else if (decision !== false) failed = isError(decision) ? decision : NO_SUCH_OVERLOAD;
      frame.iterate();
    }
    frame.charge(1);
    return failed ?? new ArrayList(elements);
  };
}

function append(elements: Value[], list: Value): ErrorValue | undefined {
  if (!(list instanceof ListValue)) return isError(list) ? list : NO_SUCH_OVERLOAD;
  for (let index = 0; index < list.size; index++) elements.push(list.get(index));
  return undefined;
}
