import { quote } from '../errors/quote.ts';
import { isJsonObject } from '../model/json-object.ts';
import { getMember, setMember } from '../model/object.ts';
import type { Field, MessageType } from '../schema/message.ts';
import { plainText } from '../schema/structural/go-text.ts';
import { errors } from '../status/index.ts';
import { Pace } from '../steps/pace.ts';
import type { Steps } from '../steps/steps.ts';
import {
  badPatch,
  DELETE_FROM_LIST,
  listNameOf,
  listOf,
  missingMergeKey,
  PATCH_DIRECTIVE,
  RETAIN_KEYS,
  retainKeys,
  SET_ORDER,
  unknownDirective,
  withoutDirectives,
} from './strategic-directives.ts';
import { checkOrder, identityOf, orderItems, uniqueOf } from './strategic-order.ts';
import { copyingMembers, jsonTypeName, type Members } from './tree.ts';

/** Position of a patch: the fields of a message; without one a map or untyped data. */
type Position = { readonly message?: MessageType };

/** How a member merges. */
interface Rule {
  /** The position inside the member, or inside each item of a list. */
  readonly inside: Position;
  readonly merges: boolean;
  readonly replaces: boolean;
  readonly mergeKey: string | undefined;
  readonly lists: boolean;
}

/**
 * Applies a strategic merge patch: like a merge patch, but lists with a merge strategy merge by their key and
 * `$patch`, `$retainKeys`, `$setElementOrder/` and `$deleteFromPrimitiveList/` direct it. Inputs are not
 * modified; the result shares containers with them.
 * @throws ApiError 400 when the patch is not an object or inconsistent
 */
export function* applyStrategicMergePatch(
  type: MessageType,
  document: unknown,
  patch: unknown,
): Steps<unknown> {
  if (patch !== null && !isJsonObject(patch))
    throw badPatch(
      `json: cannot unmarshal ${jsonTypeName(patch)} into Go value of type map[string]interface {}`,
    );
  try {
    const members = isJsonObject(document) ? document : {};
    return yield* mergeMembers({ message: type }, members, patch ?? {}, new Pace());
  } catch (error) {
    if (error instanceof RangeError) throw errors.badRequest('exceeded max depth');
    throw error;
  }
}

/** @throws ApiError for data without a declared type; kube-apiserver cannot merge containers there */
function ruleOf({ message }: Position, key: string): Rule {
  if (message === undefined)
    throw badPatch('merging an object in json but data type is not struct, instead is: map');
  const field = message.byName.get(key);
  if (field === undefined)
    throw badPatch(
      `unable to find api field in struct ${message.shortName} for the json field ${quote(key)}`,
    );
  return fieldRule(field);
}

/** @throws ApiError unless the member is a list */
function listRuleOf(position: Position, key: string): Rule {
  const rule = ruleOf(position, key);
  if (!rule.lists) throw badPatch('expected slice or array type, but got: struct');
  return rule;
}

const fieldRules = new WeakMap<Field, Rule>();

function fieldRule(field: Field): Rule {
  const known = fieldRules.get(field);
  if (known !== undefined) return known;
  const { message } = field.type;
  const typed = message?.form === 'object' ? message : undefined;
  const strategies = field.patchStrategy?.split(',') ?? [];
  const rule: Rule = {
    inside: typed === undefined || field.shape === 'map' ? {} : { message: typed },
    merges: strategies.includes('merge'),
    replaces: strategies.includes('replace'),
    mergeKey: typed === undefined ? undefined : field.patchMergeKey,
    lists: field.shape === 'list',
  };
  fieldRules.set(field, rule);
  return rule;
}

function* mergeMembers(position: Position, original: Members, patch: Members, pace: Pace): Steps<Members> {
  if (Object.hasOwn(patch, PATCH_DIRECTIVE)) return directedMembers(patch);
  const result = yield* copyingMembers(original, pace);
  retainKeys(result, patch);
  const ordered = new Set<string>();
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(SET_ORDER)) continue;
    const name = listNameOf(key, SET_ORDER);
    yield* mergeOrdered(position, result, patch, name, listOf(patch[key]), pace);
    ordered.add(key).add(name);
  }
  for (const key of Object.keys(patch)) {
    if (key === RETAIN_KEYS || ordered.has(key)) continue;
    if (pace.isPause()) yield;
    const deletes = key.startsWith(DELETE_FROM_LIST);
    const name = deletes ? listNameOf(key, DELETE_FROM_LIST) : key;
    yield* mergeMember(position, result, name, patch[key], deletes, pace);
  }
  return result;
}

/** The members that a map with a `$patch` directive becomes. @throws ApiError for an unknown directive */
function directedMembers(patch: Members): Members {
  const { [PATCH_DIRECTIVE]: directive, ...replacement } = patch;
  if (directive === 'replace') return replacement;
  if (directive === 'delete') return {};
  throw unknownDirective(directive, patch);
}

/** @param deletes the change lists items to delete */
function* mergeMember(
  position: Position,
  result: Members,
  key: string,
  change: unknown,
  deletes: boolean,
  pace: Pace,
): Steps<void> {
  const current = getMember(result, key);
  if (change === null) delete result[key];
  else if (isJsonObject(change) && isJsonObject(current)) {
    const rule = ruleOf(position, key);
    const merged = rule.replaces ? change : yield* mergeMembers(rule.inside, current, change, pace);
    setMember(result, key, merged);
  } else if (Array.isArray(change) && Array.isArray(current)) {
    const rule = listRuleOf(position, key);
    setMember(result, key, yield* mergeListMember(rule, current, change, deletes, pace));
  } else if (!deletes) {
    const value = yield* withoutDirectives(change, pace);
    if (value === undefined) delete result[key];
    else setMember(result, key, value);
  }
}

function* mergeListMember(
  rule: Rule,
  current: readonly unknown[],
  change: readonly unknown[],
  deletes: boolean,
  pace: Pace,
): Steps<readonly unknown[]> {
  return rule.merges || deletes ? yield* mergeLists(rule, current, change, deletes, pace) : change;
}

/** Merges the list of a `$setElementOrder/` directive, in that order. */
function* mergeOrdered(
  position: Position,
  result: Members,
  patch: Members,
  key: string,
  order: readonly unknown[],
  pace: Pace,
): Steps<void> {
  const current = Object.hasOwn(result, key) ? listOf(result[key]) : undefined;
  const change = Object.hasOwn(patch, key) ? listOf(patch[key]) : undefined;
  const rule = listRuleOf(position, key);
  if (change !== undefined) yield* checkOrder(change, order, rule.mergeKey, pace);
  if (current === undefined && change === undefined) return;
  const stored = current ?? [];
  const merged =
    change === undefined
      ? stored
      : current === undefined
        ? ((yield* withoutDirectives(change, pace, true)) as readonly unknown[])
        : yield* mergeListMember(rule, current, change, false, pace);
  if ((yield* elementType(stored, change ?? [], pace)) === undefined)
    throw badPatch('no elements in any of the given slices');
  setMember(result, key, yield* orderItems(merged, order, stored, rule.mergeKey, pace));
}

/** The type of all elements of the lists; undefined for none. @throws ApiError */
function* elementType(
  current: readonly unknown[],
  change: readonly unknown[],
  pace: Pace,
): Steps<string | undefined> {
  let type: string | undefined;
  for (const list of [current, change])
    for (const element of list) {
      if (pace.isPause()) yield;
      const own = jsonTypeName(element);
      if (own === 'array' && type === undefined) throw badPatch('lists of lists are not supported');
      if (own === 'null' || (type !== undefined && own !== type))
        throw badPatch(`list element types are not identical: ${plainText([current, change])}`);
      type = own;
    }
  return type;
}

/** @param deletes the change lists scalars to delete; in a list of objects it merges as usual */
function* mergeLists(
  rule: Rule,
  current: readonly unknown[],
  change: readonly unknown[],
  deletes: boolean,
  pace: Pace,
): Steps<unknown[]> {
  const type = yield* elementType(current, change, pace);
  if (type === undefined) return [];
  if (type !== 'object') {
    if (!deletes)
      return yield* orderItems(yield* uniqueOf(current, change, pace), change, current, undefined, pace);
    const removed = new Set(change);
    if (pace.isPause(change.length)) yield;
    return current.filter((item) => !removed.has(item));
  }
  const { mergeKey } = rule;
  if (mergeKey === undefined) throw badPatch('cannot merge lists without merge key for struct');
  const { kept, changes } = selectItems(
    current as readonly Members[],
    change as readonly Members[],
    mergeKey,
  );
  const merged: Members[] = [...kept];
  const index = new Map<unknown, number>();
  for (const [place, item] of kept.entries()) {
    if (pace.isPause()) yield;
    if (!index.has(getMember(item, mergeKey))) index.set(getMember(item, mergeKey), place);
  }
  for (const item of changes) {
    if (pace.isPause()) yield;
    const identity = identityOf(item, mergeKey);
    const place = index.get(identity);
    if (place !== undefined) merged[place] = yield* mergeMembers(rule.inside, merged[place]!, item, pace);
    else {
      index.set(identity, merged.length);
      merged.push(item);
    }
  }
  return yield* orderItems(merged, changes, kept, mergeKey, pace);
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
  // With `$patch: replace` the list becomes the other items of the patch, unmerged.
  if (replace) return { kept: changes, changes: [] };
  return {
    kept: deleted.size === 0 ? current : current.filter((item) => !deleted.has(getMember(item, mergeKey))),
    changes,
  };
}
