import { equalJson, isContainer, type JsonObject } from './json.ts';
import type { Node } from './node.ts';

/** Remembers what was compared, so that an unchanged subtree is compared once and not once per level. */
export interface Comparisons {
  readonly unchanged: Map<object, { readonly old: object; readonly result: boolean }>;
  /** Elements of old map lists by key. */
  readonly keyed: Map<object, Map<string, unknown>>;
}

/**
 * Returns whether a value counts as unchanged for ratcheting. Members are compared by their schema: a member
 * without one, whether kept as unknown or of a resource's type and metadata, counts as changed. Lists of type
 * map are compared by key, other lists as a whole.
 */
export function isUnchanged(node: Node, value: unknown, old: unknown, comparisons: Comparisons): boolean {
  if (!isContainer(value) || !isContainer(old)) return equalJson(value, old);
  const known = comparisons.unchanged.get(value);
  if (known?.old === old) return known.result;
  const result = compareContainers(node, value, old, comparisons);
  comparisons.unchanged.set(value, { old, result });
  return result;
}

function compareContainers(node: Node, value: object, old: object, comparisons: Comparisons): boolean {
  if (Array.isArray(value) || Array.isArray(old)) {
    if (!Array.isArray(value) || !Array.isArray(old) || value.length !== old.length) return false;
    const { items } = node;
    if (node.schema.listType !== 'map' || items === undefined) return equalJson(value, old);
    return value.every((element) => {
      const counterpart = oldElement(node, element, old, comparisons);
      return counterpart !== undefined && isUnchanged(items, element, counterpart, comparisons);
    });
  }
  const names = Object.keys(value);
  if (names.length !== Object.keys(old).length) return false;
  return names.every((name) => {
    const inner = node.valueOf(name);
    if (inner === undefined || !Object.hasOwn(old, name)) return false;
    return isUnchanged(inner, (value as JsonObject)[name], (old as JsonObject)[name], comparisons);
  });
}

/**
 * Returns whether the value at a path counts as unchanged. A value without a known counterpart (an item of a
 * list that is not of type map, a member that the old object or the schema lacks) is as its nearest ancestor
 * that has one. The apiVersion and kind of the object are not compared: both objects have the version of the
 * request.
 */
export function unchangedAt(
  root: Node,
  path: readonly (string | number)[],
  { object, old }: { readonly object: unknown; readonly old: unknown },
  comparisons: Comparisons,
): boolean {
  if (old === undefined || path[0] === 'apiVersion' || path[0] === 'kind') return false;
  let node = root;
  let value = object;
  let before = old;
  for (const step of path) {
    const inner = typeof step === 'number' ? node.items : node.valueOf(step);
    const next = (value as JsonObject)[step];
    const counterpart =
      typeof step === 'number' ? elementBefore(node, next, before, comparisons) : memberBefore(step, before);
    if (inner === undefined || counterpart === undefined) break;
    [node, value, before] = [inner, next, counterpart];
  }
  return isUnchanged(node, value, before, comparisons);
}

/** Returns the old counterpart of an element; undefined unless the list is of type map. */
export function elementBefore(node: Node, element: unknown, old: unknown, comparisons: Comparisons): unknown {
  if (node.schema.listType !== 'map' || !Array.isArray(old)) return undefined;
  return oldElement(node, element, old, comparisons);
}

/** Returns a member of the old object; undefined if there is none. */
export function memberBefore(name: string, old: unknown): unknown {
  if (!isContainer(old) || Array.isArray(old) || !Object.hasOwn(old, name)) return undefined;
  return (old as JsonObject)[name];
}

/** Returns the old element with the keys of an element of a map list; undefined if there is none. */
function oldElement(
  { schema }: Node,
  element: unknown,
  old: readonly unknown[],
  { keyed }: Comparisons,
): unknown {
  const keys = schema.listMapKeys ?? [];
  const key = keyText(element, keys);
  if (key === undefined) return undefined;
  let elements = keyed.get(old);
  if (elements === undefined) {
    elements = new Map();
    for (const one of old) {
      const text = keyText(one, keys);
      if (text !== undefined && !elements.has(text)) elements.set(text, one);
    }
    keyed.set(old, elements);
  }
  return elements.get(key);
}

/** Returns the values of the keys of an element as text; undefined if one is absent or no scalar. */
function keyText(element: unknown, keys: readonly string[]): string | undefined {
  if (!isContainer(element) || keys.length === 0) return undefined;
  let text = '';
  for (const key of keys) {
    const value = Object.hasOwn(element, key) ? (element as JsonObject)[key] : undefined;
    if (value === undefined || value === null || isContainer(value)) return undefined;
    text += typeof value === 'string' ? JSON.stringify(value) : `${String(value)} `;
  }
  return text;
}
