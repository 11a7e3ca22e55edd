import { parseJsonInSteps } from '../../codec/json-parse.ts';
import { jsonTypeOf } from '../../codec/type-meta.ts';
import { BinnacleError } from '../../errors/binnacle-error.ts';
import { isJsonObject } from '../../model/json-object.ts';
import { apiVersionOf, type GroupVersionKind } from '../../model/object.ts';
import {
  applyJsonPatch,
  keepPatchedLiterals,
  MAXIMUM_OPERATIONS,
  PatchTestError,
  unescapeToken,
} from '../../patch/index.ts';
import { runInSteps } from '../../request/scheduling/event-loop.ts';
import type { LoopTurns } from '../../request/scheduling/loop-scheduler.ts';
import { isContainer } from '../../schema/structural/json.ts';
import { ApiError } from '../../status/api-error.ts';

/** Maximum values in a patch; each becomes one in memory. */
const MAXIMUM_VALUES = 200_000;
/** Operations up to which the one that failed is looked for. */
const EXPLAINED_OPERATIONS = 100;

/**
 * The patch of a webhook is not a valid JSON Patch, or it does not apply. The message is kube-apiserver's
 * where it has one.
 */
export class PatchError extends BinnacleError {
  override name = 'PatchError';
  readonly code = 'ERR_BINNACLE_WEBHOOK_PATCH';

  constructor(
    message: string,
    /** A `test` operation failed. */
    readonly isFailedTest = false,
  ) {
    super(message);
  }
}

/** A parsed JSON Patch: any values, checked when it is applied. */
export type Operations = readonly unknown[];

/** Parses a JSON Patch in base64, in steps that leave the event loop to others. Rejects with PatchError. */
export async function parsePatch(turns: LoopTurns, patch: string): Promise<Operations> {
  let parsed: unknown;
  try {
    parsed = (await runInSteps(turns, parseJsonInSteps(Buffer.from(patch, 'base64'), MAXIMUM_VALUES))).value;
  } catch (error) {
    throw new PatchError((error as Error).message);
  }
  if (parsed === null) return [];
  if (!Array.isArray(parsed))
    throw new PatchError(
      `json: cannot unmarshal ${jsonTypeOf(parsed)} into Go value of type jsonpatch.Patch`,
    );
  if (parsed.length > MAXIMUM_OPERATIONS)
    throw new PatchError(`the patch has ${parsed.length} operations, more than ${MAXIMUM_OPERATIONS}`);
  for (const operation of parsed)
    if (operation !== null && !isJsonObject(operation))
      throw new PatchError(
        `json: cannot unmarshal ${jsonTypeOf(operation)} into Go value of type jsonpatch.Operation`,
      );
  return parsed;
}

/**
 * Applies a patch to a plain tree, which is not changed. Replacing the whole document by null has no effect.
 * @throws PatchError
 */
export function applyPatch(document: unknown, operations: Operations): unknown {
  const effective = operations.filter((operation) => !replacesAllByNull(operation));
  try {
    return keepPatchedLiterals(effective, applyJsonPatch(document, effective));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new PatchError(
      (effective.length <= EXPLAINED_OPERATIONS && explain(document, effective)) || error.message,
      error instanceof PatchTestError,
    );
  }
}

type Operation = { readonly op?: unknown; readonly path?: unknown; readonly from?: unknown; value?: unknown };

const replacesAllByNull = (operation: unknown): boolean => {
  const { op, path, value = null } = (operation ?? {}) as Operation;
  return op === 'replace' && path === '' && value === null;
};

/** Finds the operation that fails, and says why in the words of the reference's library. */
function explain(document: unknown, operations: Operations): string | undefined {
  let current = document;
  for (const operation of operations) {
    try {
      current = applyJsonPatch(current, [operation]);
    } catch (error) {
      return error instanceof ApiError ? textOf(current, operation as Operation, error) : undefined;
    }
  }
  return undefined;
}

const PATHS: Readonly<Record<string, (path: string, from: string, last: string) => string>> = {
  add: (path) => `add operation does not apply: doc is missing path: "${path}": missing value`,
  remove: (path, _from, last) =>
    `error in remove for path: '${path}': Unable to remove nonexistent key: ${last}: missing value`,
  replace: (path) => `replace operation does not apply: doc is missing path: ${path}: missing value`,
  test: (path) => `testing value ${path} failed: test failed`,
  move: (_path, from) => `move operation does not apply: doc is missing from path: ${from}: missing value`,
  copy: (_path, from) => `copy operation does not apply: doc is missing from path: ${from}: missing value`,
};

/** Whether the object or list that would hold the value at a JSON Pointer exists. */
function hasParent(document: unknown, pointer: string): boolean {
  let current = document;
  for (const token of pointer.split('/').slice(1, -1)) {
    const name = unescapeToken(token);
    if (!isContainer(current) || !Object.hasOwn(current, name)) return false;
    current = (current as Readonly<Record<string, unknown>>)[name];
  }
  return isContainer(current);
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function textOf(document: unknown, operation: Operation | null, error: ApiError): string {
  const { op, path, from } = operation ?? {};
  if (typeof op !== 'string') return 'Unexpected kind: unknown';
  if (!Object.hasOwn(PATHS, op)) return `Unexpected kind: ${op}`;
  if (path !== undefined && path !== null && typeof path !== 'string')
    return `${op} operation failed to decode path: missing value`;
  if ((op === 'move' || op === 'copy') && typeof from !== 'string')
    return `${op} operation failed to decode from: operation, missing from field: missing value`;
  if (op === 'move' && text(path).startsWith(`${from}/`))
    return `move operation does not apply: doc is missing destination path: ${text(path)}: missing value`;
  if (op === 'test' && !hasParent(document, text(path)))
    return `test operation does not apply: is missing path: ${text(path)}: missing value`;
  // Malformed or too large: the message says it.
  if (error.code !== 422) return error.message;
  const written = text(path);
  const last = unescapeToken(written.slice(written.lastIndexOf('/') + 1));
  return PATHS[op]!(written, text(from), last);
}

/** A patch must not change apiVersion or kind. @throws PatchError */
export function checkType(patched: unknown, { group, version, kind }: GroupVersionKind): void {
  if (typeof patched !== 'object' || patched === null) return;
  const apiVersion = apiVersionOf(group, version);
  const given = patched as { readonly apiVersion?: unknown; readonly kind?: unknown };
  const { apiVersion: givenVersion = apiVersion, kind: givenKind = kind } = given;
  if (givenVersion === apiVersion && givenKind === kind) return;
  throw new PatchError(
    `no kind ${JSON.stringify(givenKind)} is registered for version ${JSON.stringify(givenVersion)} in scheme "pkg/runtime/scheme.go:100"`,
  );
}
