import { isJsonObject } from '../model/json-object.ts';
import { getMember, setMember } from '../model/object.ts';
import type { Field, MessageType } from '../schema/message.ts';
import { errors } from '../status/index.ts';
import {
  badPatch,
  DELETE_FROM_LIST,
  listOf,
  missingMergeKey,
  PATCH_DIRECTIVE,
  RETAIN_KEYS,
  retainKeys,
  SET_ORDER,
  unknownDirective,
  withoutDirectives,
} from './strategic-directives.ts';
import { checkOrder, identityOf, orderItems } from './strategic-order.ts';
import { jsonTypeName, type Members, shallowCopy } from './tree.ts';

/** Position of a patch: the fields of a message, the values of a map, or untyped data. */
type Position = { readonly message?: MessageType; readonly values?: MessageType };

/** How a member merges. */
interface Rule {
  /** The position inside the member, or inside each item of a list. */
  readonly inside: Position;
  readonly merges: boolean;
  readonly replaces: boolean;
  readonly mergeKey: string | undefined;
}

const UNTYPED: Rule = { inside: {}, merges: false, replaces: false, mergeKey: undefined };

/**
 * Applies a strategic merge patch: like a merge patch, but lists with a merge strategy merge by their key and
 * `$patch`, `$retainKeys`, `$setElementOrder/` and `$deleteFromPrimitiveList/` direct it. Inputs are not
 * modified; the result shares containers with them.
 * @throws ApiError 400 when the patch is not an object or inconsistent
 */
export function applyStrategicMergePatch(type: MessageType, document: unknown, patch: unknown): unknown {
  if (patch !== null && !isJsonObject(patch))
    throw badPatch(
      `json: cannot unmarshal ${jsonTypeName(patch)} into Go value of type map[string]interface {}`,
    );
  try {
    return mergeMembers({ message: type }, isJsonObject(document) ? document : {}, patch ?? {});
  } catch (error) {
    if (error instanceof RangeError) throw errors.badRequest('exceeded max depth');
    throw error;
  }
}

function ruleOf(position: Position, key: string): Rule {
  if (position.values !== undefined) return { ...UNTYPED, inside: { message: position.values } };
  const field = position.message?.byName.get(key);
  return field === undefined ? UNTYPED : fieldRule(field);
}

const fieldRules = new WeakMap<Field, Rule>();

function fieldRule(field: Field): Rule {
  const known = fieldRules.get(field);
  if (known !== undefined) return known;
  const { message } = field.type;
  const typed = message?.form === 'object' ? message : undefined;
  const strategies = field.patchStrategy?.split(',') ?? [];
  const rule: Rule = {
    inside: typed === undefined ? {} : field.shape === 'map' ? { values: typed } : { message: typed },
    merges: strategies.includes('merge'),
    replaces: strategies.includes('replace'),
    mergeKey: typed === undefined ? undefined : field.patchMergeKey,
  };
  fieldRules.set(field, rule);
  return rule;
}

function mergeMembers(position: Position, original: Members, patch: Members): Members {
  const directive = getMember(patch, PATCH_DIRECTIVE);
  if (directive === 'replace') {
    const { [PATCH_DIRECTIVE]: _, ...replacement } = patch;
    return replacement;
  }
  if (directive === 'delete') return {};
  if (directive !== undefined && directive !== 'merge') throw unknownDirective(directive, patch);
  const result = shallowCopy(original);
  retainKeys(result, patch);
  const ordered = new Set<string>();
  for (const key of Object.keys(patch)) {
    if (key.startsWith(SET_ORDER))
      mergeOrdered(position, result, patch, key.slice(SET_ORDER.length), listOf(patch[key]), ordered);
  }
  for (const key of Object.keys(patch)) {
    if (key.startsWith(DELETE_FROM_LIST))
      deleteItems(result, key.slice(DELETE_FROM_LIST.length), listOf(patch[key]));
  }
  for (const key of Object.keys(patch)) {
    if (
      key === PATCH_DIRECTIVE ||
      key === RETAIN_KEYS ||
      key.startsWith(SET_ORDER) ||
      key.startsWith(DELETE_FROM_LIST) ||
      ordered.has(key)
    )
      continue;
    const change = patch[key];
    if (change === null) {
      delete result[key];
      continue;
    }
    setMember(result, key, mergeValue(ruleOf(position, key), getMember(result, key), change));
  }
  return result;
}

function mergeValue(rule: Rule, current: unknown, change: unknown): unknown {
  if (isJsonObject(change) && isJsonObject(current))
    return rule.replaces ? change : mergeMembers(rule.inside, current, change);
  if (Array.isArray(change) && Array.isArray(current))
    return rule.merges ? mergeLists(rule, current, change) : change;
  return withoutDirectives(change) ?? {};
}

/** Merges the list of a `$setElementOrder/` directive, in that order. */
function mergeOrdered(
  position: Position,
  result: Members,
  patch: Members,
  key: string,
  order: readonly unknown[],
  ordered: Set<string>,
): void {
  const rule = ruleOf(position, key);
  const current = getMember(result, key) ?? undefined;
  const change = getMember(patch, key) ?? undefined;
  if (getMember(patch, key) === null) return;
  if (change !== undefined) {
    checkOrder(listOf(change), order, rule.mergeKey);
    ordered.add(key);
  }
  if (current === undefined && change === undefined) return;
  const stored = listOf(current ?? []);
  const merged =
    change === undefined
      ? stored
      : current === undefined
        ? (withoutDirectives(change) as unknown[])
        : (mergeValue(rule, current, change) as unknown[]);
  setMember(result, key, orderItems(merged, order, stored, rule.mergeKey));
}

function deleteItems(result: Members, key: string, items: readonly unknown[]): void {
  const current = getMember(result, key);
  if (!Array.isArray(current)) return;
  const removed = new Set(items);
  setMember(
    result,
    key,
    current.filter((item) => !removed.has(item)),
  );
}

function mergeLists(rule: Rule, current: readonly unknown[], change: readonly unknown[]): unknown[] {
  if (current.length === 0 && change.length === 0) return [];
  const all = [...current, ...change];
  if (all.some(Array.isArray)) throw badPatch('lists of lists are not supported');
  const objects = all.filter(isJsonObject).length;
  if (objects !== 0 && objects !== all.length) throw badPatch('list element types are not identical');
  if (objects === 0) return orderItems([...new Set(all)], change, current, undefined);
  const { mergeKey } = rule;
  if (mergeKey === undefined) throw badPatch('cannot merge lists without merge key');
  const { kept, changes } = selectItems(
    current as readonly Members[],
    change as readonly Members[],
    mergeKey,
  );
  const merged: unknown[] = [...kept];
  const index = new Map<unknown, number>();
  for (const [place, item] of kept.entries())
    if (!index.has(identityOf(item, mergeKey))) index.set(identityOf(item, mergeKey), place);
  for (const item of changes) {
    const identity = identityOf(item, mergeKey);
    const place = index.get(identity);
    if (place !== undefined) merged[place] = mergeMembers(rule.inside, merged[place] as Members, item);
    else {
      index.set(identity, merged.length);
      merged.push(withoutDirectives(item));
    }
  }
  return orderItems(merged, changes, current, mergeKey);
}

/**
 * Applies the directives in a list's items. @returns the current items to keep and the items to merge into
 * them
 */
function selectItems(
  current: readonly Members[],
  change: readonly Members[],
  mergeKey: string,
): { kept: readonly Members[]; changes: readonly Members[] } {
  const changes: Members[] = [];
  const deleted = new Set<unknown>();
  let replace = false;
  for (const item of change) {
    const directive = getMember(item, PATCH_DIRECTIVE);
    if (directive === undefined) changes.push(item);
    else if (directive === 'replace') replace = true;
    else if (directive === 'merge') throw badPatch('merging lists cannot yet be specified in the patch');
    else if (directive !== 'delete') throw unknownDirective(directive, item);
    else if (getMember(item, mergeKey) === undefined) throw missingMergeKey(item, mergeKey);
    else deleted.add(item[mergeKey]);
  }
  if (replace) return { kept: [], changes };
  return {
    kept: deleted.size === 0 ? current : current.filter((item) => !deleted.has(getMember(item, mergeKey))),
    changes,
  };
}
