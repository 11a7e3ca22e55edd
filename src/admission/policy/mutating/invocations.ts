import { MapValue, type Value } from '../../../cel/index.ts';
import type { AdmissionRequest } from '../../../request/admission.ts';
import type { Steps } from '../../../steps/steps.ts';
import { type Candidate, type MatchedVersion, matchedVersion } from '../../matching/match-index.ts';
import type { RequestScope } from '../request-scope.ts';
import type { PolicyHook } from '../source.ts';
import type { CompiledMutatingPolicy } from './compile.ts';
import type { MutationFailures } from './failures.ts';

/** A policy to evaluate for one binding with one parameter. */
export interface Invocation {
  readonly hook: PolicyHook<CompiledMutatingPolicy>;
  readonly binding: string;
  /** Undefined if the policy has no `paramKind`. */
  readonly params: Value | undefined;
  /** The version in which the policy sees the object. */
  readonly match: MatchedVersion;
  /** Equal for the same policy, binding and parameter in both rounds. */
  readonly key: string;
}

/**
 * The invocations for a request. They depend on the object as it is before the first mutation.
 * @throws ApiError when the namespace is absent
 */
export function* invocationsOf(
  request: AdmissionRequest,
  candidates: readonly Candidate<PolicyHook<CompiledMutatingPolicy>>[],
  scope: RequestScope,
  failures: MutationFailures,
): Steps<Invocation[]> {
  const found: Invocation[] = [];
  for (const candidate of candidates) {
    const { entry: hook } = candidate;
    const match = matchedVersion(candidate, request.name);
    if (match === undefined || !(yield* scope.selects(hook.selectors))) continue;
    const kind = scope.parameterKind(hook);
    if (kind !== undefined && 'problem' in kind) {
      failures.addPolicy(hook, kind.problem);
      continue;
    }
    for (const bound of hook.bindings.candidates(request)) {
      const { name } = bound.entry;
      if (matchedVersion(bound, request.name) === undefined) continue;
      if (!(yield* scope.selects(bound.entry.selectors))) continue;
      const parameters = yield* scope.parameters(hook, kind, bound.entry);
      if ('problem' in parameters) {
        failures.addBinding(hook, name, parameters.problem);
        continue;
      }
      for (const params of parameters)
        found.push({ hook, binding: name, params, match, key: keyOf(hook.name, name, params) });
    }
  }
  return found;
}

function keyOf(policy: string, binding: string, params: Value | undefined): string {
  const metadata = params instanceof MapValue ? params.find('metadata') : undefined;
  const text = (name: string): Value =>
    (metadata instanceof MapValue ? metadata.find(name) : undefined) ?? '';
  return JSON.stringify([policy, binding, text('namespace'), text('name')]);
}
