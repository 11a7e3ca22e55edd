import { evaluateAll, OUT_OF_BUDGET } from '../../../cel/index.ts';
import { DecodeError } from '../../../codec/decode-error.ts';
import { internalTypes } from '../../../model/internal-types.ts';
import { apiVersionOf, type GroupVersionKind, type GroupVersionResource } from '../../../model/object.ts';
import type { RuleContext } from '../../../model/rule-context.ts';
import { formatGroupVersionKind } from '../../../outbound/review-document.ts';
import type { AdmissionRequest } from '../../../request/admission.ts';
import { errors } from '../../../status/errors.ts';
import { type Steps, waitFor } from '../../../steps/steps.ts';
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
  input: Pick<PolicyInput, 'values' | 'params' | 'turns' | 'expired'> & Pick<RuleContext, 'has'>,
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
      const configuration = configurationOf(value!);
      checkDocumented(kind, match.resource);
      const merged = yield* waitFor(request.merge(apiVersion, configuration));
      checkConvertible(kind, request.kind);
      return yield* waitFor(request.replace(apiVersion, merged));
    }
    const { object } = yield* waitFor(request.inVersion(apiVersion));
    const patched = patch(object!.plain(), operationsOf(value!), input);
    if (patched === undefined) return false;
    checkType(patched, kind);
    checkConvertible(kind, request.kind);
    return yield* waitFor(request.replace(apiVersion, patched, true));
  } catch (failure) {
    if (failure instanceof DecodeError && type === 'configuration')
      throw new MutationError(`error applying patch: ${failure.message}`);
    if (failure instanceof DecodeError || failure instanceof PatchError)
      throw errors.internal(failure.message);
    throw failure;
  }
}

/**
 * kube-apiserver knows types for configurations from the API document of the kind's group version. It leaves out
 * kinds that only resources of other groups have, such as a Scale.
 * @throws MutationError
 */
function checkDocumented(kind: GroupVersionKind, resource: GroupVersionResource): void {
  if (kind.group === resource.group && kind.version === resource.version) return;
  const name = formatGroupVersionKind(apiVersionOf(kind.group, kind.version), kind.kind);
  throw new MutationError(
    `error applying patch: failed to convert patch object to typed object: no corresponding type for ${name}`,
  );
}

/** kube-apiserver cannot convert built-in kinds from the version that a policy saw. @throws MutationError */
function checkConvertible(seen: GroupVersionKind, requested: GroupVersionKind): void {
  const { group, version, kind } = seen;
  if (version === requested.version && group === requested.group) return;
  if (internalTypes.ofKind(group, version, kind) === undefined) return;
  throw new MutationError(
    `converting (${version}.${kind}) to (${requested.version}.${requested.kind}): unknown conversion`,
  );
}

/** Applies a JSON Patch to a plain tree; undefined when a test fails. @throws MutationError */
function patch(document: object, operations: readonly object[], context: Pick<RuleContext, 'has'>): unknown {
  try {
    return applyPatch(document, operations, context);
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    if (error.isFailedTest) return undefined;
    throw new MutationError(`JSON Patch: ${error.message}`);
  }
}
