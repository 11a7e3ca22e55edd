import { OptionalValue } from '../values/optional.ts';
import { isError, type Value } from '../values/value.ts';
import type { Frame } from './frame.ts';
import { keyError, qualify, qualifyIfPresent } from './qualify.ts';
import type { Evaluate } from './step.ts';

/** One selection: a constant key, or a key evaluated each time. */
export interface Qualifier {
  readonly key: Value | undefined;
  /** Evaluates the key, unless it is constant. */
  readonly evaluateKey: Evaluate | undefined;
  /** Written `.?f` or `[?e]`: if absent, the whole attribute is an absent optional. */
  readonly optional: boolean;
  /** The last selection of `has`: returns whether it is present. */
  readonly tested?: boolean;
}

/** Applies selections in order, each with its cost. */
export function applyQualifiers(frame: Frame, root: Value, qualifiers: readonly Qualifier[]): Value {
  if (isError(root)) return root;
  let value: Value = root;
  let optional = false;
  if (root instanceof OptionalValue) {
    if (root.value === undefined) return root;
    value = root.value;
    optional = true;
  }
  for (const qualifier of qualifiers) {
    optional ||= qualifier.optional;
    const key = keyOf(frame, qualifier);
    if (qualifier.tested === true) return test(frame, value, key, optional);
    if (!optional) {
      value = isError(key) ? key : qualify(value, key);
      frame.charge(1);
      if (isError(value)) return value;
      continue;
    }
    const member = isError(key) ? key : qualifyIfPresent(value, key);
    if (member === undefined) return OptionalValue.none;
    if (isError(member)) return member;
    frame.charge(1);
    value = member;
  }
  return optional ? OptionalValue.of(value) : value;
}

function test(frame: Frame, value: Value, key: Value, optional: boolean): Value {
  const member = qualifyIfPresent(value, key);
  if (!optional || (member !== undefined && !isError(member))) frame.charge(1);
  return isError(member) ? member : member !== undefined;
}

function keyOf(frame: Frame, { key, evaluateKey }: Qualifier): Value {
  if (evaluateKey === undefined) return key as Value;
  const value = evaluateKey(frame);
  return keyError(value) ?? value;
}
