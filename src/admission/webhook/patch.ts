import { parsingJson } from '../../codec/json-parse.ts';
import { writePlain } from '../../codec/json-plain.ts';
import { jsonTypeOf } from '../../codec/type-meta.ts';
import { BinnacleError } from '../../errors/binnacle-error.ts';
import { internalTypes } from '../../model/internal-types.ts';
import { isJsonObject } from '../../model/json-object.ts';
import { apiVersionOf, type GroupVersionKind } from '../../model/object.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { formatGroupVersionKind } from '../../outbound/review-document.ts';
import {
  applyJsonPatch,
  type JsonPatchRules,
  jsonPatchRules,
  keepPatchedLiterals,
  MAXIMUM_OPERATIONS,
  PatchTestError,
} from '../../patch/index.ts';
import { ApiError } from '../../status/api-error.ts';
import { runInTurns, runNow } from '../../steps/run.ts';
import type { LoopTurns } from '../../steps/turns.ts';
import { failureOf, type Operation } from './patch-failures.ts';

/** Maximum values in a patch; each becomes one in memory. */
const MAXIMUM_VALUES = 200_000;
/** Maximum characters of an object that an error repeats. */
const MAXIMUM_QUOTED = 2048;
/** The code of a patch whose copies are too large. */
const TOO_LARGE = 413;
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

/** A patched custom object has another apiVersion. It has been changed nevertheless. */
export class UnsuitableTypeError extends ApiError {
  constructor(message: string) {
    super(500, '', message, undefined);
  }
}

/** A parsed JSON Patch: any values, checked when it is applied. */
export type Operations = readonly unknown[];

/** Parses a JSON Patch in base64, in steps that leave the event loop to others. Rejects with PatchError. */
export async function parsePatch(turns: LoopTurns, patch: string): Promise<Operations> {
  let parsed: unknown;
  try {
    parsed = (await runInTurns(turns, parsingJson(Buffer.from(patch, 'base64'), MAXIMUM_VALUES))).value;
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
 * Applies a patch to a plain tree, which is not changed.
 * @throws PatchError
 */
export function applyPatch(
  document: unknown,
  operations: Operations,
  context: Pick<RuleContext, 'has'>,
): unknown {
  const rules = jsonPatchRules(context);
  const effective =
    rules.refusesScalarRoot === true
      ? operations
      : operations.filter((operation) => !replacesAllByNull(operation));
  try {
    return keepPatchedLiterals(
      effective,
      runNow(applyJsonPatch(document, effective, undefined, undefined, rules)),
    );
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new PatchError(
      (effective.length <= EXPLAINED_OPERATIONS && explain(document, effective, rules)) || error.message,
      error instanceof PatchTestError,
    );
  }
}

const replacesAllByNull = (operation: unknown): boolean => {
  const { op, path, value = null } = (operation ?? {}) as Operation;
  return op === 'replace' && path === '' && value === null;
};

/** Finds the operation that fails, and says why in the words of the reference's library. */
function explain(document: unknown, operations: Operations, rules: JsonPatchRules): string | undefined {
  let current = document;
  for (const operation of operations) {
    try {
      current = runNow(applyJsonPatch(current, [operation], undefined, undefined, rules));
    } catch (error) {
      if (!(error instanceof ApiError)) return undefined;
      return error.code === TOO_LARGE ? error.message : failureOf(current, operation as Operation | null);
    }
  }
  return undefined;
}

const named = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Checks the type of a patched object. A patch must not change it, except that the kind of a custom object is
 * validated later.
 * @throws PatchError, UnsuitableTypeError
 */
export function checkType(patched: unknown, { group, version, kind }: GroupVersionKind): void {
  if (typeof patched !== 'object' || patched === null) return;
  const apiVersion = apiVersionOf(group, version);
  const given = patched as { readonly apiVersion?: unknown; readonly kind?: unknown };
  for (const member of ['apiVersion', 'kind'] as const) {
    const value = given[member] ?? '';
    if (typeof value !== 'string')
      throw new PatchError(
        `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonTypeOf(value)} into Go struct field .${member} of type string`,
      );
  }
  const isCustom = internalTypes.ofKind(group, version, kind) === undefined;
  const [givenVersion, givenKind] = [named(given.apiVersion), named(given.kind)];
  if (isCustom) {
    if (givenKind === '')
      throw new PatchError(`Object 'Kind' is missing in '${writePlain(patched).slice(0, MAXIMUM_QUOTED)}'`);
    if (givenVersion === apiVersion) return;
    throw new UnsuitableTypeError(
      `${formatGroupVersionKind(givenVersion, givenKind)} is unstructured and is not suitable for converting to ${JSON.stringify(apiVersion)}`,
    );
  }
  if ((givenVersion || apiVersion) === apiVersion && (givenKind || kind) === kind) return;
  throw new PatchError(
    `no kind ${JSON.stringify(givenKind || kind)} is registered for version ${JSON.stringify(givenVersion || apiVersion)} in scheme "pkg/runtime/scheme.go:100"`,
  );
}
