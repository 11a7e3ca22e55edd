import { jsonTypeOf } from '../codec/type-meta.ts';
import { isJsonObject } from '../model/json-object.ts';
import { setMember } from '../model/object.ts';
import type { Pace } from '../steps/pace.ts';
import { stepSizes } from '../steps/sizes.ts';
import type { Steps } from '../steps/steps.ts';

/** Plain trees as produced by a JSON parser. */
export type Members = Record<string, unknown>;

/** Copies a container, in steps if it is large; its members are shared. `__proto__` remains an ordinary member. */
export function* copyingMembers(members: Members, pace: Pace): Steps<Members> {
  const names = Object.keys(members);
  if (names.length <= stepSizes.nodes) return { ...members };
  const copy: Members = {};
  for (const name of names) {
    if (pace.isPause()) yield;
    setMember(copy, name, members[name]);
  }
  return copy;
}

/** Go's JSON name of the type of a value, also of null. */
export const jsonTypeName = (value: unknown): string => (value === null ? 'null' : jsonTypeOf(value));

/** Deep equality of plain trees; the order of members is ignored. */
export function equalTrees(left: unknown, right: unknown): boolean {
  const pending: [unknown, unknown][] = [[left, right]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    if (Array.isArray(a) && Array.isArray(b)) {
      if (a.length !== b.length) return false;
      for (let index = 0; index < a.length; index += 1) pending.push([a[index], b[index]]);
    } else if (isJsonObject(a) && isJsonObject(b)) {
      const keys = Object.keys(a);
      if (keys.length !== Object.keys(b).length) return false;
      for (const key of keys) {
        if (!Object.hasOwn(b, key)) return false;
        pending.push([a[key], b[key]]);
      }
    } else return false;
  }
  return true;
}
