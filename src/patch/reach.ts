import { isJsonObject } from '../model/json-object.ts';
import { unescapeToken } from './pointer-tree.ts';
import type { Members } from './tree.ts';

/**
 * Whether a JSON Patch may read or change the value at a path: one of its pointers is the path, a descendant
 * or an ancestor.
 */
export function jsonPatchReaches(patch: unknown, path: readonly string[]): boolean {
  if (!Array.isArray(patch)) return true;
  const meets = (pointer: unknown): boolean => {
    if (typeof pointer !== 'string') return true;
    if (pointer === '') return true;
    const tokens = pointer
      .split('/', path.length + 1)
      .slice(1)
      .map(unescapeToken);
    // Without a token it names no member, and fails.
    return tokens.length > 0 && tokens.every((token, index) => token === path[index]);
  };
  return (patch as readonly (Members | null)[]).some(
    (operation) =>
      operation === null || meets(operation.path) || (operation.from !== undefined && meets(operation.from)),
  );
}

/**
 * Whether a merge patch of either kind may change the value at a path: it has a member there, or a value or
 * directive for an ancestor.
 */
export function mergePatchReaches(patch: unknown, path: readonly string[]): boolean {
  let node = patch;
  for (const name of path) {
    if (!isJsonObject(node) || Object.keys(node).some((member) => mayDirect(member, name))) return true;
    if (!Object.hasOwn(node, name)) return false;
    node = node[name];
  }
  return true;
}

/** Whether a member of a patch is a directive that may concern the member `name` beside it. */
function mayDirect(member: string, name: string): boolean {
  if (!member.startsWith('$')) return false;
  const slash = member.indexOf('/');
  return slash < 0 || member.slice(slash + 1) === name;
}
