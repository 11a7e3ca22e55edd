import type { MessageType } from '../../schema/message.ts';
import { semanticEqual } from './semantic-equal.ts';

/**
 * Returns whether two values of a type are equal in every member. Unlike `semanticEqual`, an empty list
 * differs from an absent one. The generation of a few kinds follows this rule.
 */
export function exactlyEqual(a: unknown, b: unknown, type: MessageType): boolean {
  return semanticEqual(a, b, type) && haveSameLists(a, b);
}

/** Compares the presence of lists in values that are semantically equal. */
function haveSameLists(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b)) return false;
    return a.every((element, index) => haveSameLists(element, b[index]));
  }
  const [left, right] = [membersOf(a), membersOf(b)];
  for (const name of new Set([...Object.keys(left), ...Object.keys(right)]))
    if (!haveSameLists(left[name], right[name])) return false;
  return true;
}

const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null
    ? Object.assign(Object.create(null) as Record<string, unknown>, value)
    : {};
