import type { Field, MessageType } from '../../schema/message.ts';
import { semanticEqual } from './semantic-equal.ts';

/**
 * Returns whether two values of a type are equal in every member. Unlike `semanticEqual`, an empty list or
 * map differs from an absent one. The generation of a few kinds follows this rule.
 */
export function exactlyEqual(a: unknown, b: unknown, type: MessageType): boolean {
  return semanticEqual(a, b, type) && haveSameContainers(a, b, type);
}

/** Compares the presence of lists and maps in values that are semantically equal. */
function haveSameContainers(a: unknown, b: unknown, type: MessageType | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b)) return false;
    return a.every((element, index) => haveSameContainers(element, b[index], type));
  }
  const [left, right] = [membersOf(a), membersOf(b)];
  for (const name of new Set([...Object.keys(left), ...Object.keys(right)]))
    if (!isSameMember(left[name], right[name], type?.byName.get(name))) return false;
  return true;
}

function isSameMember(a: unknown, b: unknown, field: Field | undefined): boolean {
  const type = field?.type.message;
  if (field?.shape !== 'map') return haveSameContainers(a, b, type);
  if (isAbsent(a) || isAbsent(b)) return isAbsent(a) && isAbsent(b);
  const [left, right] = [membersOf(a), membersOf(b)];
  return Object.keys(left).every((name) => haveSameContainers(left[name], right[name], type));
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null
    ? Object.assign(Object.create(null) as Record<string, unknown>, value)
    : {};
