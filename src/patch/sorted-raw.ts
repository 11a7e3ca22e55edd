import { isJsonObject } from '../model/json-object.ts';
import type { MessageType } from '../schema/message.ts';
import type { Members } from './tree.ts';

/**
 * Sorts the members of free-form data that a patch traversed by name: kube-apiserver re-encodes such data, so
 * that immutable data is refused even if the patch did not change it. Other data is kept.
 * @param isReached whether the patch traversed the data at a path of member names; list items have the list's
 * path
 */
export function sortRawMembers(
  type: MessageType,
  document: unknown,
  isReached: (path: readonly string[]) => boolean,
): unknown {
  if (!isJsonObject(document) || !containsRaw(type)) return document;
  try {
    return sortIn(type, document, [], isReached);
  } catch (error) {
    // Data that is nested too deeply keeps its order.
    if (error instanceof RangeError) return document;
    throw error;
  }
}

function sortIn(
  type: MessageType,
  document: Members,
  path: readonly string[],
  isReached: (path: readonly string[]) => boolean,
): Members {
  let result = document;
  for (const { name, shape, type: value } of type.jsonFields) {
    const member = Object.hasOwn(document, name) ? document[name] : undefined;
    if (value.message === undefined || shape === 'map' || member === undefined || !containsRaw(value.message))
      continue;
    const here = [...path, name];
    const sortOne = (one: unknown): unknown => {
      if (value.message.form === 'raw') return isReached(here) ? sorted(one) : one;
      return isJsonObject(one) ? sortIn(value.message, one, here, isReached) : one;
    };
    const next = Array.isArray(member) ? member.map(sortOne) : sortOne(member);
    result = { ...result, [name]: next };
  }
  return result;
}

const known = new WeakMap<MessageType, boolean>();

/**
 * Whether a message can contain free-form data. Managed fields, which are handled separately, don't count.
 */
function containsRaw(type: MessageType): boolean {
  if (type.form === 'raw') return type.shortName === 'RawExtension';
  const found = known.get(type);
  if (found !== undefined) return found;
  // Types are recursive: a type under inspection counts as having none.
  known.set(type, false);
  const contains =
    type.form === 'object' &&
    type.jsonFields.some((field) => field.type.message !== undefined && containsRaw(field.type.message));
  known.set(type, contains);
  return contains;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}
