import { isJsonObject } from '../model/json-object.ts';
import { setMember } from '../model/object.ts';
import { errors } from '../status/index.ts';
import { jsonTypeName, type Members, shallowCopy } from './tree.ts';

/**
 * Applies a JSON Merge Patch (RFC 7386): objects merge, null removes, everything else replaces. Inputs are
 * not modified; the result shares containers with them. Nulls inside new values are dropped too, also in
 * objects within arrays.
 * @throws ApiError 400 when the patch is not an object
 */
export function applyMergePatch(document: unknown, patch: unknown): unknown {
  checkMergePatch(patch);
  if (patch === null) throw errors.badRequest('Invalid JSON Patch');
  const root = isJsonObject(document) ? shallowCopy(document) : {};
  // Pairs of a container of the result, already copied, and its patch.
  const pending: [Members, Members][] = [[root, patch as Members]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [target, changes] = pair;
    for (const key of Object.keys(changes)) {
      const change = changes[key];
      if (change === null) {
        delete target[key];
        continue;
      }
      const current = Object.hasOwn(target, key) ? target[key] : undefined;
      if (isJsonObject(change) && isJsonObject(current)) {
        const merged = shallowCopy(current);
        setMember(target, key, merged);
        pending.push([merged, change]);
      } else setMember(target, key, withoutNulls(change));
    }
  }
  return root;
}

/** @throws ApiError 400 when the patch is neither an object nor null */
function checkMergePatch(patch: unknown): void {
  if (patch !== null && !isJsonObject(patch))
    throw errors.badRequest(
      `error decoding patch: json: cannot unmarshal ${jsonTypeName(patch)} into Go value of type map[string]interface {}`,
    );
}

/** Copies a value without the null members of objects; null items of arrays are kept. */
export function withoutNulls(value: unknown): unknown {
  const holder: Members = { value };
  const pending: (Members | unknown[])[] = [holder];
  for (let container = pending.pop(); container !== undefined; container = pending.pop()) {
    for (const key of Object.keys(container)) {
      const member = (container as Members)[key];
      if (member === null && !Array.isArray(container)) {
        delete container[key];
        continue;
      }
      if (typeof member !== 'object' || member === null) continue;
      const copy = Array.isArray(member) ? [...member] : shallowCopy(member as Members);
      setMember(container, key, copy);
      pending.push(copy);
    }
  }
  return holder.value;
}
