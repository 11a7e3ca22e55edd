import { strictErrors } from '../../codec/json-strict.ts';
import {
  applyJsonPatch,
  applyMergePatch,
  hasTest,
  type JsonPatchRules,
  keepMergedLiterals,
  keepPatchedLiterals,
  keptDuplicates,
  MAXIMUM_OPERATIONS,
} from '../../patch/index.ts';
import type { ObjectSchema } from '../../resources/object-schema.ts';
import type { Steps } from '../../steps/steps.ts';

/** Media types of patches. Apply has an operation of its own. */
export const PATCH_TYPES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
  applyCbor: 'application/apply-patch+cbor',
} as const;

/**
 * Applies one of the three merge forms to a plain tree of the served version.
 * @param decoded gets the containers that kube-apiserver decodes, and therefore encodes with sorted members
 * @param duplicates gets the paths of duplicate members that kube-apiserver has in the result, by those of the values
 */
export type Patcher = (
  current: unknown,
  decoded: Set<object>,
  duplicates: Map<string, string[]>,
) => Steps<unknown>;

/**
 * @param type one of the three merge forms
 * @param duplicates paths of duplicate members of the patch
 * @param body the text of the patch
 * @param rules of the release, for a JSON patch
 */
export function patcherOf(
  type: string,
  schema: ObjectSchema,
  patch: unknown,
  duplicates: readonly string[],
  body: Buffer,
  rules: JsonPatchRules,
): Patcher {
  switch (type) {
    case PATCH_TYPES.json: {
      const text = duplicates.length === 0 && hasTest(patch) ? body.toString() : undefined;
      return patcher(
        schema,
        patch,
        (current, operations, decoded) => applyJsonPatch(current, operations, decoded, text, rules),
        keepPatchedLiterals,
        duplicates,
      );
    }
    case PATCH_TYPES.merge:
      return patcher(schema, patch, applyMergePatch, keepMergedLiterals);
    default:
      return (current) => patchStrategic(schema, patch, current);
  }
}

/** A patcher of JSON, which keeps the literals of numbers. */
function patcher(
  schema: ObjectSchema,
  patch: unknown,
  apply: (current: unknown, patch: unknown, decoded: Set<object>) => ReturnType<Patcher>,
  keepLiterals: (patch: unknown, patched: unknown) => unknown,
  duplicates: readonly string[] = [],
): Patcher {
  return function* (current, decoded, kept) {
    const patched = yield* apply(current, patch, decoded);
    if (duplicates.length > 0)
      for (const [place, paths] of keptDuplicates(patch, duplicates, patched, decoded))
        kept.set(place, paths);
    const normal = schema.normalizePatched(patched, (container) => decoded.has(container));
    return keepLiterals(patch, normal);
  };
}

function* patchStrategic(schema: ObjectSchema, patch: unknown, current: unknown): ReturnType<Patcher> {
  return schema.normalizePatched(yield* schema.strategicMerge!(current, patch), () => true);
}

const OPERATION_MEMBERS: readonly string[] = ['op', 'path', 'from', 'value'];

/** Maximum reported errors, as in kube-apiserver. */
const MAXIMUM_PROBLEMS = 100;

/** Strict validation errors of a JSON Patch, in the order of its text. */
export function* findingJsonPatchProblems(
  body: Uint8Array,
  patch: unknown,
  duplicates: readonly string[],
): Steps<string[]> {
  const unknown: string[] = [];
  for (const [index, operation] of (Array.isArray(patch) ? patch : [])
    .slice(0, MAXIMUM_OPERATIONS)
    .entries()) {
    if (unknown.length >= MAXIMUM_PROBLEMS) break;
    if (typeof operation !== 'object' || operation === null) continue;
    for (const member of Object.keys(operation))
      if (!OPERATION_MEMBERS.includes(member)) unknown.push(`[${index}].${member}`);
  }
  const problems = yield* strictErrors(body, duplicates, unknown);
  return problems.map((problem) => `json patch ${problem}`);
}
