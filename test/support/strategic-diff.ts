import { isJsonObject } from '../../src/model/json-object.ts';
import { getMember, setMember } from '../../src/model/object.ts';
import { equalTrees, type Members } from '../../src/patch/tree.ts';
import type { Field, MessageType } from '../../src/schema/message.ts';

/** A patch that deletes the members that `after` lacks. */
function deletions(before: Members, after: Members): Members {
  const patch: Members = {};
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) setMember(patch, key, null);
  return patch;
}

/** The members that `after` adds or changes, with their values before and after. */
const changes = (before: Members, after: Members): [key: string, old: unknown, value: unknown][] =>
  Object.keys(after)
    .map((key): [string, unknown, unknown] => [key, getMember(before, key), getMember(after, key)])
    .filter(([key, old, value]) => !Object.hasOwn(before, key) || !equalTrees(old, value));

/** Creates a strategic merge patch from one plain object to another, using only the type's merge keys. */
export function strategicDiff(type: MessageType | undefined, before: Members, after: Members): Members {
  const patch = deletions(before, after);
  for (const [key, old, value] of changes(before, after)) {
    const field = type?.byName.get(key);
    const message = field?.type.message?.form === 'object' ? field.type.message : undefined;
    const replaces = field?.patchStrategy?.split(',').includes('replace') === true;
    const merges = field?.patchStrategy?.split(',').includes('merge') === true;
    if (isJsonObject(old) && isJsonObject(value)) {
      if (replaces) setMember(patch, key, value);
      else
        setMember(
          patch,
          key,
          field?.shape === 'map' ? mapDiff(message, old, value) : strategicDiff(message, old, value),
        );
    } else if (Array.isArray(old) && Array.isArray(value) && merges)
      listDiff(patch, key, field!, message, old, value);
    else setMember(patch, key, value);
  }
  return patch;
}

function mapDiff(values: MessageType | undefined, before: Members, after: Members): Members {
  const patch = deletions(before, after);
  for (const key of Object.keys(after)) {
    const old = getMember(before, key);
    const value = getMember(after, key);
    if (isJsonObject(old) && isJsonObject(value)) setMember(patch, key, strategicDiff(values, old, value));
    else setMember(patch, key, value);
  }
  return patch;
}

/** Diffs items by key: changed, added and deleted ones, and the order of the new list. */
function listDiff(
  patch: Members,
  key: string,
  field: Field,
  message: MessageType | undefined,
  before: readonly unknown[],
  after: readonly unknown[],
): void {
  const mergeKey = message === undefined ? undefined : field.patchMergeKey;
  if (mergeKey === undefined) {
    const deleted = before.filter((item) => !after.includes(item));
    const added = after.filter((item) => !before.includes(item));
    if (deleted.length > 0) setMember(patch, `$deleteFromPrimitiveList/${key}`, deleted);
    if (added.length > 0) setMember(patch, key, added);
    setMember(patch, `$setElementOrder/${key}`, after);
    return;
  }
  const itemsOf = (list: readonly unknown[]) =>
    new Map((list as readonly Members[]).map((item) => [item[mergeKey], item]));
  const old = itemsOf(before);
  const items = itemsOf(after);
  const changes: Members[] = [];
  for (const [identity, item] of items) {
    const current = old.get(identity);
    if (current === undefined) changes.push(item);
    else if (!equalTrees(current, item))
      changes.push({ ...strategicDiff(message, current, item), [mergeKey]: identity });
  }
  for (const identity of old.keys())
    if (!items.has(identity)) changes.push({ $patch: 'delete', [mergeKey]: identity });
  if (changes.length > 0) setMember(patch, key, changes);
  setMember(
    patch,
    `$setElementOrder/${key}`,
    [...items.keys()].map((identity) => ({ [mergeKey]: identity })),
  );
}

/** Creates a JSON Patch from one plain tree to another. */
export function jsonPatchDiff(before: unknown, after: unknown, path = ''): object[] {
  if (equalTrees(before, after)) return [];
  const token = (key: string) => `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  if (isJsonObject(before) && isJsonObject(after)) {
    return [
      ...Object.keys(before).flatMap((key) =>
        Object.hasOwn(after, key)
          ? jsonPatchDiff(before[key], after[key], token(key))
          : [{ op: 'remove', path: token(key) }],
      ),
      ...Object.keys(after).flatMap((key) =>
        Object.hasOwn(before, key) ? [] : [{ op: 'add', path: token(key), value: after[key] }],
      ),
    ];
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const shared = Math.min(before.length, after.length);
    return [
      ...before
        .slice(shared)
        .map((_, index) => ({ op: 'remove', path: token(String(before.length - 1 - index)) })),
      ...before
        .slice(0, shared)
        .flatMap((item, index) => jsonPatchDiff(item, after[index], token(String(index)))),
      ...after.slice(shared).map((value) => ({ op: 'add', path: token('-'), value })),
    ];
  }
  return [{ op: 'replace', path, value: after }];
}

/** Creates a merge patch from one plain object without nulls to another. */
export function mergePatchDiff(before: Members, after: Members): Members {
  const patch = deletions(before, after);
  for (const [key, old, value] of changes(before, after)) {
    setMember(patch, key, isJsonObject(old) && isJsonObject(value) ? mergePatchDiff(old, value) : value);
  }
  return patch;
}
