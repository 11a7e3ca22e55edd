import { isJsonObject } from '../model/json-object.ts';
import { setMember } from '../model/object.ts';
import { errors } from '../status/index.ts';
import { Pace } from '../steps/pace.ts';
import { stepSizes } from '../steps/sizes.ts';
import type { Steps } from '../steps/steps.ts';
import { copyingMembers, jsonTypeName, type Members } from './tree.ts';

/**
 * Applies a JSON Merge Patch (RFC 7386): objects merge, null removes, everything else replaces. Inputs are
 * not modified; the result shares containers with them. Nulls inside new values are dropped too, also in
 * objects within arrays, except in an array that replaces an object.
 * @param decoded gets the containers of the result that kube-apiserver decodes, and therefore encodes again
 * @throws ApiError 400 when the patch is not an object
 */
export function* applyMergePatch(document: unknown, patch: unknown, decoded?: Set<object>): Steps<unknown> {
  checkMergePatch(patch);
  if (patch === null) throw errors.badRequest('Invalid JSON Patch');
  const pace = new Pace(stepSizes.values);
  const root = isJsonObject(document) ? yield* copyingMembers(document, pace) : {};
  decoded?.add(root);
  // Pairs of a container of the result, already copied, and its patch.
  const pending: [Members, Members][] = [[root, patch as Members]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [target, changes] = pair;
    for (const key of Object.keys(changes)) {
      if (pace.isPause()) yield;
      const change = changes[key];
      if (change === null) {
        delete target[key];
        continue;
      }
      const current = Object.hasOwn(target, key) ? target[key] : undefined;
      if (isJsonObject(change) && isJsonObject(current)) {
        const copy = yield* copyingMembers(current, pace);
        decoded?.add(copy);
        setMember(target, key, copy);
        pending.push([copy, change]);
      } else {
        const isCleaned = isContainer(change) && !isJsonObject(current);
        setMember(target, key, isCleaned ? yield* withoutNulls(change, decoded, pace) : change);
      }
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
export function* withoutNulls(
  value: unknown,
  decoded?: Set<object>,
  pace = new Pace(stepSizes.values),
): Steps<unknown> {
  const holder: Members = {};
  // Pairs of a container and its copy, which is still empty.
  const pending: [Members, Members][] = [[{ value }, holder]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [container, copy] = pair;
    for (const key of Object.keys(container)) {
      if (pace.isPause()) yield;
      const member = container[key];
      if (member === null && !Array.isArray(container)) continue;
      const inner = isContainer(member) ? ((Array.isArray(member) ? [] : {}) as Members) : member;
      setMember(copy, key, inner);
      if (!isContainer(member)) continue;
      decoded?.add(inner as Members);
      pending.push([member, inner as Members]);
    }
  }
  return holder['value'];
}

const isContainer = (value: unknown): value is Members => typeof value === 'object' && value !== null;
