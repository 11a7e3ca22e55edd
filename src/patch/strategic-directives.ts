import { isJsonObject } from '../model/json-object.ts';
import { getMember, setMember } from '../model/object.ts';
import { type ApiError, errors } from '../status/index.ts';
import { formatGoValue, type Members } from './tree.ts';

/** Directives of a strategic merge patch: `$patch`, `$retainKeys`, and two prefixes of a list's name. */
export const PATCH_DIRECTIVE = '$patch';
export const RETAIN_KEYS = '$retainKeys';
export const DELETE_FROM_LIST = '$deleteFromPrimitiveList/';
export const SET_ORDER = '$setElementOrder/';

/**
 * The error for an invalid patch. kube-apiserver returns 500 for some of these, although they are client
 * errors.
 */
export function badPatch(message: string): ApiError {
  return errors.badRequest(message);
}

export function unknownDirective(directive: unknown, patch: Members): ApiError {
  return badPatch(`unknown patch type: ${formatGoValue(directive)} in map: ${formatGoValue(patch)}`);
}

export function missingMergeKey(item: unknown, mergeKey: string): ApiError {
  return badPatch(`map: ${formatGoValue(item)} does not contain declared merge key: ${mergeKey}`);
}

/** The list at `key` of the directive's container. @throws ApiError when it is not a list */
export function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value))
    throw badPatch(
      `expected a []interface {}, but received a ${isJsonObject(value) ? 'map[string]interface {}' : typeof value}`,
    );
  return value;
}

const isDirective = (key: string): boolean =>
  key === PATCH_DIRECTIVE ||
  key === RETAIN_KEYS ||
  key.startsWith(DELETE_FROM_LIST) ||
  key.startsWith(SET_ORDER);

/**
 * The value of a patch for a missing member: without nulls, directives and deleted items. `undefined` when
 * nothing remains.
 */
export function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isJsonObject(value)) return value;
  if (getMember(value, PATCH_DIRECTIVE) === 'delete') return undefined;
  const remaining: Members = {};
  for (const key of Object.keys(value)) {
    if (isDirective(key) || value[key] === null) continue;
    const member = withoutDirectives(value[key]);
    if (member !== undefined) setMember(remaining, key, member);
  }
  return remaining;
}

/**
 * Removes the members of `target` that `$retainKeys` of the patch does not list.
 * @throws ApiError 400 when the patch sets a key that it does not retain
 */
export function retainKeys(target: Members, patch: Members): void {
  const directive = getMember(patch, RETAIN_KEYS);
  if (directive === undefined) return;
  const retained = new Set<unknown>(Array.isArray(directive) ? directive : []);
  const sets = Object.keys(patch).some(
    (key) => !isDirective(key) && patch[key] !== null && !retained.has(key),
  );
  if (!Array.isArray(directive) || sets) throw badPatch('invalid patch format of retainKeys');
  for (const key of Object.keys(target)) if (!retained.has(key)) delete target[key];
}
