import { NO_SUCH_OVERLOAD } from '../values/error-value.ts';
import { OptionalValue } from '../values/optional.ts';
import { isError, type Value } from '../values/value.ts';
import type { Frame } from './frame.ts';
import { keyError, qualify, qualifyIfPresent } from './qualify.ts';
import type { Evaluate } from './step.ts';

/** One selection: a constant key, or one that is evaluated each time. */
export interface Qualifier {
  readonly key: Value | undefined;
  /** Evaluates the key where it is no constant. */
  readonly evaluateKey: Evaluate | undefined;
  /** Written `.?f` or `[?e]`: absence makes the whole attribute an absent optional. */
  readonly optional: boolean;
  /** The last selection of `has`: gives whether there is something. */
  readonly tested?: boolean;
}

/** A root with the selections that are applied to it: they make one step whose cost is 1, and 1 for each selection. */
export type Attribute =
  | { readonly kind: 'rooted'; readonly root: Evaluate; readonly qualifiers: readonly Qualifier[] }
  /** `condition ? a : b`, whose branches are attributes that share further selections. It has no cost of its own. */
  | { readonly kind: 'conditional'; readonly condition: Evaluate; readonly truthy: Attribute; readonly falsy: Attribute };

/** An attribute with one more selection. */
export function withQualifier(attribute: Attribute, qualifier: Qualifier): Attribute {
  if (attribute.kind === 'rooted') return { ...attribute, qualifiers: [...attribute.qualifiers, qualifier] };
  return { ...attribute, truthy: withQualifier(attribute.truthy, qualifier), falsy: withQualifier(attribute.falsy, qualifier) };
}

/** Evaluates an attribute with its whole cost. */
export function evaluateAttribute(attribute: Attribute): Evaluate {
  const resolve = resolveAttribute(attribute);
  if (attribute.kind === 'conditional') return resolve;
  const { root, qualifiers } = attribute;
  if (qualifiers.length === 0) {
    return (frame) => {
      const value = root(frame);
      if (++frame.cost > frame.most) frame.charge(0);
      return value;
    };
  }
  return (frame) => {
    const value = resolve(frame);
    if (++frame.cost > frame.most) frame.charge(0);
    return value;
  };
}

/** Evaluates an attribute with the cost of its selections only: what an index or a branch of a conditional costs. */
export function resolveAttribute(attribute: Attribute): Evaluate {
  if (attribute.kind === 'conditional') return resolveConditional(attribute.condition, resolveAttribute(attribute.truthy), resolveAttribute(attribute.falsy));
  const { root, qualifiers } = attribute;
  if (qualifiers.length === 0) return root;
  const names = qualifiers.map(({ key, optional, tested }) => (typeof key === 'string' && !optional && tested !== true ? key : undefined));
  if (names.length === 1 && names[0] !== undefined) return selectOne(root, names[0], qualifiers);
  return (frame) => applyQualifiers(frame, root(frame), qualifiers);
}

/** The most common attribute, `name.field`. */
function selectOne(root: Evaluate, name: string, qualifiers: readonly Qualifier[]): Evaluate {
  return (frame) => {
    const value = root(frame);
    if (value === null || typeof value !== 'object' || value.kind !== 'map') return applyQualifiers(frame, value, qualifiers);
    const member = value.find(name);
    if (++frame.cost > frame.most) frame.charge(0);
    return member === undefined ? qualify(value, name) : member;
  };
}

function resolveConditional(condition: Evaluate, truthy: Evaluate, falsy: Evaluate): Evaluate {
  return (frame) => {
    const decision = condition(frame);
    if (decision === true) return truthy(frame);
    if (decision === false) return falsy(frame);
    return isError(decision) ? decision : NO_SUCH_OVERLOAD;
  };
}

function applyQualifiers(frame: Frame, root: Value, qualifiers: readonly Qualifier[]): Value {
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

/**
 * Evaluates `has(attribute.field)`: whether the last selection finds something. What is tested costs 1 unless the chain ended before, the root nothing;
 * a conditional gives one back.
 */
export function evaluatePresence(attribute: Attribute, field: string): Evaluate {
  const resolve = resolveAttribute(withQualifier(attribute, { key: field, evaluateKey: undefined, optional: false, tested: true }));
  const refund = attribute.kind === 'conditional' ? 1 : 0;
  return (frame) => {
    const value = resolve(frame);
    frame.cost -= refund;
    return value instanceof OptionalValue ? value.value !== undefined : value;
  };
}
