export {
  applyJsonPatch,
  hasTest,
  type JsonPatchRules,
  jsonPatchRules,
  MAXIMUM_OPERATIONS,
  PatchTestError,
} from './json-patch.ts';
export { keptDuplicates } from './kept-duplicates.ts';
export { keepMergedLiterals, keepPatchedLiterals } from './literals.ts';
export { applyMergePatch } from './merge-patch.ts';
export { unescapeToken } from './pointer-tree.ts';
export { jsonPatchReaches, mergePatchReaches } from './reach.ts';
export { sortDecodedMembers } from './sorted-members.ts';
export { sortRawMembers } from './sorted-raw.ts';
export { applyStrategicMergePatch } from './strategic-merge-patch.ts';
