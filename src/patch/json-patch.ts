import { isJsonObject } from '../model/json-object.ts';
import type { Life } from '../model/life.ts';
import type { RuleContext } from '../model/rule-context.ts';
import { isContainer } from '../schema/structural/json.ts';
import { ApiError, errors } from '../status/index.ts';
import { stepSizes } from '../steps/sizes.ts';
import type { Steps } from '../steps/steps.ts';
import { copyTree, countCharacters } from './copied-tree.ts';
import { PointerTree, pointerTokens } from './pointer-tree.ts';
import { equalTrees, jsonTypeName, type Members } from './tree.ts';
import { isWrittenAs, valuePlaces } from './value-texts.ts';

/** Maximum operations of a JSON Patch. */
export const MAXIMUM_OPERATIONS = 10_000;
/** Maximum characters of JSON that the `copy` operations of one patch may add. */
export const MAXIMUM_COPIED_CHARACTERS = 3 * 1024 * 1024;

/**
 * The error for a patch that does not apply to the object: a member is missing, a test failed. Clients get no
 * details.
 */
function rejected(): ApiError {
  return new ApiError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
}

/** A `test` operation of a JSON Patch failed. */
export class PatchTestError extends ApiError {
  constructor() {
    const { code, reason, message, details } = rejected();
    super(code, reason, message, details);
  }
}

/** What differs between releases. */
export interface JsonPatchRules {
  /** Refuses a `replace` of the whole document by a scalar; default: it does nothing. */
  readonly refusesScalarRoot?: boolean;
}

/** The rules of a release. */
export const jsonPatchRules = ({ has }: Pick<RuleContext, 'has'>): JsonPatchRules => ({
  refusesScalarRoot: has(REFUSES_SCALAR_ROOT),
});

/** The releases that refuse to replace the whole document by a scalar. */
const REFUSES_SCALAR_ROOT: Life = { since: '1.35' };

/**
 * Applies a JSON Patch (RFC 6902) as kube-apiserver does: `replace` of a missing member adds it, `replace` of
 * the whole document by a scalar does nothing (see {@link JsonPatchRules}), `test` against null succeeds for a missing
 * member, negative indexes count from the end, a missing `value` is null, and `null` is the empty patch. Inputs are not
 * modified.
 * @param decoded gets the containers of the result that kube-apiserver decodes, and therefore encodes again
 * @param text of the patch, without duplicate members: `test` then compares the texts of numbers and strings, as
 * kube-apiserver does for what the patch has not changed
 * @throws ApiError 400 for a malformed patch, 413 for too many operations or too large copies, 422 when an
 * operation fails, PatchTestError for a failed test
 */
export function* applyJsonPatch(
  document: unknown,
  patch: unknown,
  decoded?: Set<object>,
  text?: string,
  rules: JsonPatchRules = {},
): Steps<unknown> {
  checkJsonPatch(patch);
  if (patch === null) return document;
  const places = text === undefined ? undefined : yield* valuePlaces(text);
  const tree = new PointerTree(document, decoded);
  let copied = 0;
  const { nodes } = stepSizes;
  let pausedAt = 0;
  for (const [index, operation] of (patch as readonly (Members | null)[]).entries()) {
    if (tree.work - pausedAt > nodes) {
      yield;
      pausedAt = tree.work;
    }
    if (operation === null || typeof operation.path !== 'string') throw rejected();
    const { path } = operation;
    const value = operation.value ?? null;
    let done: boolean;
    switch (operation.op) {
      case 'add':
        done = tree.add(pointerTokens(path), value);
        break;
      case 'remove':
        done = tree.remove(pointerTokens(path));
        break;
      case 'replace':
        done =
          path === ''
            ? isContainer(value)
              ? tree.replaceRoot(value)
              : rules.refusesScalarRoot !== true
            : tree.replace(pointerTokens(path), value);
        break;
      case 'test':
        if (!testSucceeds(tree, path, value)) throw new PatchTestError();
        if (places?.has(index) && !(yield* isWrittenAsStored(tree, path, text!, places.get(index)!)))
          throw new PatchTestError();
        done = true;
        break;
      case 'move': {
        const from = source(tree, operation.from);
        done = tree.remove(from.tokens) && tree.add(pointerTokens(path), from.value ?? null);
        break;
      }
      case 'copy': {
        const from = source(tree, operation.from);
        const characters = yield* countCharacters(from.value, MAXIMUM_COPIED_CHARACTERS - copied);
        copied += characters;
        tree.work += characters / CHARACTERS_COPIED_PER_TOKEN;
        if (copied > MAXIMUM_COPIED_CHARACTERS) {
          throw errors.requestEntityTooLarge(
            `Unable to complete the copy, the accumulated size increase of copy is ${copied}, exceeding the limit ${MAXIMUM_COPIED_CHARACTERS}`,
          );
        }
        const copy = yield* copyTree(from.value ?? null, (container, copied) =>
          tree.decodeCopy(container, copied),
        );
        done = tree.add(pointerTokens(path), copy);
        break;
      }
      default:
        done = false;
    }
    if (!done) throw rejected();
  }
  return tree.root;
}

/** Copying a value with this many characters takes as long as following a token of a pointer. */
const CHARACTERS_COPIED_PER_TOKEN = 8;

/** @throws ApiError 400 or 413 when the value is not a valid JSON Patch, for any document */
function checkJsonPatch(patch: unknown): void {
  if (patch === null) return;
  if (!Array.isArray(patch)) throw undecodable(patch, 'value of type []handlers.jsonPatchOp');
  if (patch.length > MAXIMUM_OPERATIONS)
    throw errors.requestEntityTooLarge(
      `Request entity too large: The allowed maximum operations in a JSON patch is ${MAXIMUM_OPERATIONS}, got ${patch.length}`,
    );
  for (const operation of patch) {
    if (operation === null) continue;
    if (!isJsonObject(operation)) throw undecodable(operation, 'value of type handlers.jsonPatchOp');
    for (const name of ['op', 'from', 'path']) {
      const member = operation[name];
      if (member !== undefined && member !== null && typeof member !== 'string')
        throw undecodable(member, `struct field jsonPatchOp.${name} of type string`);
    }
  }
}

function undecodable(value: unknown, target: string): ApiError {
  return errors.badRequest(
    `error decoding patch: json: cannot unmarshal ${jsonTypeName(value)} into Go ${target}`,
  );
}

function testSucceeds(tree: PointerTree, path: string, value: unknown): boolean {
  if (path === '') {
    tree.decode(tree.root);
    return equalTrees(tree.root, value);
  }
  const found = tree.find(pointerTokens(path));
  // Equal values are compared to their ends.
  tree.decode(found.value);
  return found.reachable && equalTrees(found.value ?? null, value);
}

/** Whether a patch has a `test`. */
export const hasTest = (patch: unknown): boolean =>
  Array.isArray(patch) && patch.some((operation) => isJsonObject(operation) && operation['op'] === 'test');

/** Whether the value of a test that succeeded is written as that of the document. */
function* isWrittenAsStored(tree: PointerTree, path: string, text: string, place: number): Steps<boolean> {
  const tokens = pointerTokens(path);
  if (tokens === undefined || !tree.isOriginal(tokens)) return true;
  return yield* isWrittenAs(text, place, tree.find(tokens).value ?? null);
}

function source(tree: PointerTree, from: unknown): { tokens: readonly string[] | undefined; value: unknown } {
  if (typeof from !== 'string') throw rejected();
  const tokens = pointerTokens(from);
  const { reachable, value } = tree.find(tokens);
  if (!reachable) throw rejected();
  return { tokens, value };
}
