import { isJsonObject } from '../model/json-object.ts';
import type { MessageType } from '../schema/message.ts';
import type { Members } from './tree.ts';

/**
 * Sorts the members of free-form data that a patch decoded by name: kube-apiserver encodes such data again, so
 * that immutable data is refused even if the patch did not change it. Other data is kept.
 * @param isDecoded whether the patch decoded a container
 */
export function sortRawMembers(
  type: MessageType,
  document: unknown,
  isDecoded: (container: object) => boolean,
): unknown {
  if (!isJsonObject(document) || !containsRaw(type)) return document;
  try {
    return sortIn(type, document, isDecoded);
  } catch (error) {
    // Data that is nested too deeply keeps its order.
    if (error instanceof RangeError) return document;
    throw error;
  }
}

function sortIn(type: MessageType, document: Members, isDecoded: (container: object) => boolean): Members {
  let result = document;
  for (const { name, shape, type: value } of type.jsonFields) {
    const member = Object.hasOwn(document, name) ? document[name] : undefined;
    if (value.message === undefined || shape === 'map' || member === undefined || !containsRaw(value.message))
      continue;
    const sortOne = (one: unknown): unknown => {
      if (value.message.form === 'raw') return sorted(one, isDecoded);
      return isJsonObject(one) ? sortIn(value.message, one, isDecoded) : one;
    };
    const next = Array.isArray(member) ? mapped(member, sortOne) : sortOne(member);
    if (next !== member) result = { ...result, [name]: next };
  }
  return result;
}

/** `Array.map`; returns the list itself when no item changes. */
function mapped(list: readonly unknown[], map: (item: unknown) => unknown): readonly unknown[] {
  const items = list.map(map);
  return items.some((item, index) => item !== list[index]) ? items : list;
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

/** A container that was not decoded contains no decoded containers. */
function sorted(value: unknown, isDecoded: (container: object) => boolean): unknown {
  if (typeof value !== 'object' || value === null || !isDecoded(value)) return value;
  if (Array.isArray(value)) return value.map((item) => sorted(item, isDecoded));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member, isDecoded)]));
}
