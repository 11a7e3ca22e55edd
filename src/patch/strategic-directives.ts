import { isJsonObject } from '../model/json-object.ts';
import { setMember } from '../model/object.ts';
import { plainText } from '../schema/structural/go-text.ts';
import { isContainer } from '../schema/structural/json.ts';
import { type ApiError, errors } from '../status/index.ts';
import type { Pace } from '../steps/pace.ts';
import type { Steps } from '../steps/steps.ts';
import { jsonTypeName, type Members } from './tree.ts';

/** Directives of a strategic merge patch: `$patch`, `$retainKeys`, and two prefixes of a list's name. */
export const PATCH_DIRECTIVE = '$patch';
export const RETAIN_KEYS = '$retainKeys';
export const DELETE_FROM_LIST = '$deleteFromPrimitiveList';
export const SET_ORDER = '$setElementOrder';

/**
 * The error for an invalid patch. kube-apiserver returns 500 for some of these, although they are client
 * errors.
 */
export function badPatch(message: string): ApiError {
  return errors.badRequest(message);
}

export function unknownDirective(directive: unknown, patch: Members): ApiError {
  return badPatch(`unknown patch type: ${plainText(directive)} in map: ${plainText(patch)}`);
}

export function missingMergeKey(item: unknown, mergeKey: string): ApiError {
  return badPatch(`map: ${plainText(item)} does not contain declared merge key: ${mergeKey}`);
}

/** The list at `key` of the directive's container. @throws ApiError when it is not a list */
export function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value))
    throw badPatch(
      `expected a []interface {}, but received a ${value === null ? '%!s(<nil>)' : isJsonObject(value) ? 'map[string]interface {}' : jsonTypeName(value)}`,
    );
  return value;
}

const isDirective = (key: string): boolean =>
  key === PATCH_DIRECTIVE ||
  key === RETAIN_KEYS ||
  key.startsWith(DELETE_FROM_LIST) ||
  key.startsWith(SET_ORDER);

/** The list that a directive names after its prefix and a slash. @throws ApiError 400 */
export function listNameOf(key: string, prefix: string): string {
  if (key[prefix.length] === '/') return key.slice(prefix.length + 1);
  throw badPatch(
    `invalid patch format of ${prefix === SET_ORDER ? 'setElementOrder list' : 'primitive list'}`,
  );
}

/**
 * The value of a patch for a member that it does not merge into: without null members and maps with `$patch`.
 * Other directives remain, as unknown fields. `undefined` when nothing remains.
 */
export function* withoutDirectives(value: unknown, pace: Pace, keepsNull = false): Steps<unknown> {
  if (Array.isArray(value)) {
    const kept: unknown[] = [];
    for (const item of value) {
      if (pace.isPause()) yield;
      const remaining = isContainer(item) ? yield* withoutDirectives(item, pace, keepsNull) : item;
      if (remaining !== undefined) kept.push(remaining);
    }
    return kept;
  }
  if (!isJsonObject(value)) return value;
  if (Object.hasOwn(value, PATCH_DIRECTIVE)) return undefined;
  const remaining: Members = {};
  for (const key of Object.keys(value)) {
    if (pace.isPause()) yield;
    const member = value[key];
    if (member === null && !keepsNull) continue;
    const kept = isContainer(member) ? yield* withoutDirectives(member, pace, keepsNull) : member;
    if (kept !== undefined) setMember(remaining, key, kept);
  }
  return remaining;
}

/**
 * Removes the members of `target` that `$retainKeys` of the patch does not list.
 * @throws ApiError 400 when the patch sets a key that it does not retain
 */
export function retainKeys(target: Members, patch: Members): void {
  if (!Object.hasOwn(patch, RETAIN_KEYS)) return;
  const directive = patch[RETAIN_KEYS];
  const retained = new Set<unknown>(Array.isArray(directive) ? directive : []);
  const sets = Object.keys(patch).some(
    (key) => !isDirective(key) && patch[key] !== null && !retained.has(key),
  );
  if (!Array.isArray(directive) || sets) throw badPatch('invalid patch format of retainKeys');
  for (const key of Object.keys(target)) if (!retained.has(key)) delete target[key];
}
