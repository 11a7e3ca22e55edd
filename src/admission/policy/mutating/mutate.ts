import { evaluateAll, OUT_OF_BUDGET } from '../../../cel/index.ts';
import { DecodeError } from '../../../codec/decode-error.ts';
import { apiVersionOf } from '../../../model/object.ts';
import type { AdmissionRequest } from '../../../request/admission.ts';
import { type Steps, settled } from '../../../request/scheduling/steps.ts';
import { errors } from '../../../status/errors.ts';
import type { MatchedVersion } from '../../matching/match-index.ts';
import { applyPatch, checkType, PatchError } from '../../webhook/patch.ts';
import { POLICY_BUDGET, type PolicyInput, scopeOf } from '../evaluate.ts';
import type { CompiledMutatingPolicy, CompiledMutation } from './compile.ts';
import { MutationError } from './mutation-error.ts';
import { configurationOf, operationsOf } from './patch-values.ts';

/**
 * Evaluates one mutation and applies it to the object of the request.
 * @param match the version in which the policy sees the object
 * @returns whether the object changed
 * @throws MutationError when it fails; ApiError when the patched object cannot be decoded or converted
 */
export function* mutate(
  policy: CompiledMutatingPolicy,
  { type, expression }: CompiledMutation,
  input: Pick<PolicyInput, 'values' | 'params' | 'turns' | 'expired'>,
  request: AdmissionRequest,
  match: MatchedVersion,
): Steps<boolean> {
  if (expression.program === undefined) throw new MutationError(expression.error ?? '');
  const evaluated = yield* evaluateAll([expression], scopeOf(policy, input, true), POLICY_BUDGET);
  if (evaluated === undefined) throw new MutationError(OUT_OF_BUDGET);
  const { value, error } = evaluated.results[0]!;
  if (error !== undefined) throw new MutationError(error);
  const kind = match.kind ?? request.kind;
  const apiVersion = apiVersionOf(kind.group, kind.version);
  try {
    if (type === 'configuration') {
      const merged = yield* settled(request.merge(apiVersion, configurationOf(value!)));
      return yield* settled(request.replace(apiVersion, merged));
    }
    const { object } = yield* settled(request.inVersion(apiVersion));
    const patched = patch(object!.plain(), operationsOf(value!));
    if (patched === undefined) return false;
    checkType(patched, kind);
    return yield* settled(request.replace(apiVersion, patched, true));
  } catch (failure) {
    if (failure instanceof DecodeError && type === 'configuration')
      throw new MutationError(`error applying patch: ${failure.message}`);
    if (failure instanceof DecodeError || failure instanceof PatchError)
      throw errors.internal(failure.message);
    throw failure;
  }
}

/** Applies a JSON Patch to a plain tree; undefined when a test fails. @throws MutationError */
function patch(document: object, operations: readonly object[]): unknown {
  try {
    return applyPatch(document, operations);
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    if (error.isFailedTest) return undefined;
    throw new MutationError(`JSON Patch: ${error.message}`);
  }
}
