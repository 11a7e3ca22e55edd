import { NO_SUCH_OVERLOAD } from '../values/error-value.ts';
import { FieldSelector } from '../values/field-selector.ts';
import { OptionalValue } from '../values/optional.ts';
import { isError } from '../values/value.ts';
import { applyQualifiers, type Qualifier } from './qualifiers.ts';
import { type Root, selectFields, testField } from './selection.ts';
import type { Evaluate } from './step.ts';

/**
 * A root with selections applied to it. Together they are one step: it costs 1, plus 1 for each selection.
 */
export type Attribute =
  | { readonly kind: 'rooted'; readonly root: Root; readonly qualifiers: readonly Qualifier[] }
  /**
   * `condition ? a : b` whose branches are attributes; later selections apply to both. It has no cost of its
   * own.
   */
  | {
      readonly kind: 'conditional';
      readonly condition: Evaluate;
      readonly truthy: Attribute;
      readonly falsy: Attribute;
    };

/** An attribute with one more selection. */
export function withQualifier(attribute: Attribute, qualifier: Qualifier): Attribute {
  if (attribute.kind === 'rooted') return { ...attribute, qualifiers: [...attribute.qualifiers, qualifier] };
  return {
    ...attribute,
    truthy: withQualifier(attribute.truthy, qualifier),
    falsy: withQualifier(attribute.falsy, qualifier),
  };
}

/** Evaluates an attribute with its full cost. */
export function evaluateAttribute(attribute: Attribute): Evaluate {
  if (attribute.kind === 'conditional') return resolveAttribute(attribute);
  const { root, qualifiers } = attribute;
  const selectors = selectorsOf(qualifiers);
  if (selectors !== undefined) return selectFields(root, selectors, 1);
  const { slot } = root;
  if (slot !== undefined && qualifiers.length === 0) {
    return (frame) => {
      if (++frame.cost > frame.maxCost) frame.stopAtLimit();
      return frame.slots[slot]!;
    };
  }
  const resolve = resolveAttribute(attribute);
  return (frame) => {
    const value = resolve(frame);
    if (++frame.cost > frame.maxCost) frame.stopAtLimit();
    return value;
  };
}

/**
 * Evaluates an attribute with the cost of its selections only: the cost of an index or of a branch of a
 * conditional.
 */
export function resolveAttribute(attribute: Attribute): Evaluate {
  if (attribute.kind === 'conditional')
    return resolveConditional(
      attribute.condition,
      resolveAttribute(attribute.truthy),
      resolveAttribute(attribute.falsy),
    );
  const { root, qualifiers } = attribute;
  const { evaluate } = root;
  if (qualifiers.length === 0) return evaluate;
  const selectors = selectorsOf(qualifiers);
  return selectors === undefined
    ? (frame) => applyQualifiers(frame, evaluate(frame), qualifiers)
    : selectFields(root, selectors, 0);
}

/** The names of the selections when all are field selections (at least one); undefined otherwise. */
function selectorsOf(qualifiers: readonly Qualifier[]): FieldSelector[] | undefined {
  const selectors: FieldSelector[] = [];
  for (const { key, optional, tested } of qualifiers) {
    if (typeof key !== 'string' || optional || tested === true) return undefined;
    selectors.push(new FieldSelector(key));
  }
  return selectors.length === 0 ? undefined : selectors;
}

function resolveConditional(condition: Evaluate, truthy: Evaluate, falsy: Evaluate): Evaluate {
  return (frame) => {
    const decision = condition(frame);
    if (decision === true) return truthy(frame);
    if (decision === false) return falsy(frame);
    return isError(decision) ? decision : NO_SUCH_OVERLOAD;
  };
}

/**
 * Evaluates `has(attribute.field)`: whether the last selection is present. The test costs 1 unless an earlier
 * selection failed; the root is free, and a conditional root refunds 1.
 */
export function evaluatePresence(attribute: Attribute, field: string): Evaluate {
  const resolve = resolveAttribute(
    withQualifier(attribute, { key: field, evaluateKey: undefined, optional: false, tested: true }),
  );
  const refund = attribute.kind === 'conditional' ? 1 : 0;
  const any: Evaluate = (frame) => {
    const value = resolve(frame);
    frame.cost -= refund;
    return value instanceof OptionalValue ? value.value !== undefined : value;
  };
  if (attribute.kind === 'conditional') return any;
  const { root, qualifiers } = attribute;
  const selectors = qualifiers.length === 0 ? [] : selectorsOf(qualifiers);
  return selectors === undefined ? any : testField(root, selectors, new FieldSelector(field));
}
