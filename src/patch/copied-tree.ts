import { setMember } from '../model/object.ts';
import { Pace } from '../steps/pace.ts';
import { stepSizes } from '../steps/sizes.ts';
import type { Steps } from '../steps/steps.ts';
import type { Members } from './tree.ts';

/** Approximate length of the JSON text of a value, in characters; counting stops above the limit. */
export function* countCharacters(value: unknown, limit: number): Steps<number> {
  const pace = new Pace(stepSizes.values);
  let count = 0;
  const pending: unknown[] = [value];
  while (pending.length > 0 && count <= limit) {
    const next = pending.pop();
    if (typeof next === 'string') count += next.length + 2;
    else if (typeof next === 'object' && next !== null) {
      count += 2;
      for (const key of Object.keys(next)) {
        if (pace.isPause()) yield;
        count += Array.isArray(next) ? 1 : key.length + 4;
        pending.push((next as Members)[key]);
      }
    } else count += String(next).length;
  }
  return count;
}

/**
 * Copies a plain tree in depth.
 * @param copied is told each container and its copy, outer ones first
 */
export function* copyTree(value: unknown, copied: (container: object, copy: object) => void): Steps<unknown> {
  const pace = new Pace();
  const copies: { readonly container: object; readonly copy: Members | unknown[] }[] = [];
  const copyOf = (member: unknown): unknown => {
    if (typeof member !== 'object' || member === null) return member;
    const copy = Array.isArray(member) ? [] : {};
    copied(member, copy);
    copies.push({ container: member, copy });
    return copy;
  };
  const root = copyOf(value);
  for (let next = copies.pop(); next !== undefined; next = copies.pop()) {
    const { container, copy } = next;
    for (const key of Object.keys(container)) {
      if (pace.isPause()) yield;
      setMember(copy, key, copyOf((container as Members)[key]));
    }
  }
  return root;
}
