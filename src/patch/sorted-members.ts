import { sortedKeys } from '../codec/json-string.ts';
import { LiteralRecorder, literalsOf } from '../codec/number-literals.ts';
import { setMember } from '../model/object.ts';
import { Pace } from '../steps/pace.ts';
import { stepSizes } from '../steps/sizes.ts';
import type { Steps } from '../steps/steps.ts';
import type { Members } from './tree.ts';

/**
 * Returns a tree whose decoded objects have sorted members, as kube-apiserver encodes them after a patch (in
 * JavaScript, names that are integers come first). The tree shares the other containers with the original; the recorded literals of numbers are kept.
 * @param decoded a container that is not one of these contains none of them
 */
export function* sortDecodedMembers(root: unknown, decoded: ReadonlySet<object>): Steps<unknown> {
  const copies = new Map<object, object>();
  const holder: Members = { root };
  const pending: object[] = [holder];
  const pace = new Pace(stepSizes.values);
  for (let container = pending.pop(); container !== undefined; container = pending.pop()) {
    for (const key of Object.keys(container)) {
      const member = (container as Members)[key];
      if (pace.isPause()) yield;
      if (typeof member !== 'object' || member === null || !decoded.has(member)) continue;
      const copy = Array.isArray(member) ? [...(member as unknown[])] : sortedCopy(member as Members);
      copies.set(member, copy);
      setMember(container, key, copy);
      pending.push(copy);
    }
  }
  const literals = literalsOf(root);
  if (literals !== undefined) {
    const notes = new LiteralRecorder();
    for (const [container, members] of literals)
      for (const [key, literal] of members) notes.add(copies.get(container) ?? container, key, literal);
    notes.attachTo(holder['root']);
  }
  return holder['root'];
}

function sortedCopy(members: Members): Members {
  const copy: Members = {};
  for (const key of sortedKeys(members)) setMember(copy, key, members[key]);
  return copy;
}
