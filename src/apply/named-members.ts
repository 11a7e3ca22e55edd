import { FieldSet } from './field-set.ts';
import type { Shape } from './shape.ts';

/**
 * Adds every declared field on the path of a member to the set: removing all members below a field removes
 * the field.
 */
export function namedMembers(shape: Shape, fields: FieldSet): FieldSet {
  if (fields.children.size === 0) return fields;
  const children = new Map<string, FieldSet>();
  for (const [element, child] of fields.children) {
    const member = element.startsWith('f:') ? shape.member(element.slice(2)) : undefined;
    const inside = element.startsWith('f:')
      ? member?.shape
      : shape.kind === 'keyed'
        ? shape.item()
        : undefined;
    const below = inside === undefined ? child : namedMembers(inside, child);
    children.set(
      element,
      member?.named === true && !below.member ? new FieldSet(true, below.children) : below,
    );
  }
  return new FieldSet(fields.member, children);
}
