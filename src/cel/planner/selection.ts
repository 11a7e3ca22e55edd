import type { FieldSelector } from '../values/field-selector.ts';
import { MapValue } from '../values/map.ts';
import { OptionalValue } from '../values/optional.ts';
import { isError, type Value } from '../values/value.ts';
import type { Frame } from './frame.ts';
import { applyQualifiers, type Qualifier } from './qualifiers.ts';
import type { Evaluate } from './step.ts';

/** The start of an attribute. */
export interface Root {
  readonly evaluate: Evaluate;
  /** The slot, if it is the variable of a comprehension. */
  readonly slot?: number;
}

/**
 * Evaluates `root.field.field…` with a fast path when every value is an object. Any other case is evaluated
 * again from the root (evaluation has no side effects) by the general rules of attributes.
 * @param own the cost besides that of the selections
 */
export function selectFields(
  { evaluate, slot }: Root,
  selectors: readonly FieldSelector[],
  own: 0 | 1,
): Evaluate {
  const cost = selectors.length + own;
  const qualifiers = selectors.map(qualifierOf);
  const otherwise = (frame: Frame, from: Value): Value => {
    const value = applyQualifiers(frame, from, qualifiers);
    frame.charge(own);
    return value;
  };
  const [first] = selectors;
  if (slot !== undefined && first !== undefined && selectors.length === 1) {
    return (frame) => {
      const from = frame.slots[slot]!;
      const value = from instanceof MapValue ? from.select(first) : undefined;
      if (value === undefined) return otherwise(frame, from);
      frame.cost += cost;
      if (frame.cost > frame.maxCost) frame.stopAtLimit();
      return value;
    };
  }
  return (frame) => {
    const from = evaluate(frame);
    const value = follow(from, selectors);
    if (value === undefined) return otherwise(frame, from);
    frame.cost += cost;
    if (frame.cost > frame.maxCost) frame.stopAtLimit();
    return value;
  };
}

/** Evaluates `has(root.field…field)` in the same way. The root is free. */
export function testField(
  { evaluate }: Root,
  selectors: readonly FieldSelector[],
  last: FieldSelector,
): Evaluate {
  const cost = selectors.length + 1;
  const qualifiers = [...selectors.map(qualifierOf), { ...qualifierOf(last), tested: true }];
  return (frame) => {
    const from = evaluate(frame);
    const holder = follow(from, selectors);
    if (!(holder instanceof MapValue)) {
      const value = applyQualifiers(frame, from, qualifiers);
      return value instanceof OptionalValue ? value.value !== undefined : value;
    }
    const value = holder.select(last);
    frame.chargeSteps(cost);
    return isError(value) ? value : value !== undefined;
  };
}

/** The selected value when every value on the path is an object; undefined otherwise. */
function follow(from: Value, selectors: readonly FieldSelector[]): Value | undefined {
  let value: Value | undefined = from;
  for (let index = 0; index < selectors.length; index++) {
    if (!(value instanceof MapValue)) return undefined;
    value = value.select(selectors[index]!);
  }
  return value;
}

function qualifierOf({ name }: FieldSelector): Qualifier {
  return { key: name, evaluateKey: undefined, optional: false };
}
