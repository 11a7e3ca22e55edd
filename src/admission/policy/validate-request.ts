import type { ValidatingAdmissionPolicy } from '../../model/generated/admissionregistration-v1.ts';
import type { AdmissionRequest } from '../../request/admission.ts';
import { ApiError } from '../../status/api-error.ts';
import { runWaiting } from '../../steps/run.ts';
import type { MaybePromise, Steps } from '../../steps/steps.ts';
import { type Candidate, matchedVersion } from '../matching/match-index.ts';
import { type CompiledPolicy, compilePolicy } from './compile.ts';
import { PolicyAnnotations, type PolicyObserver, PolicyVerdict } from './denials.ts';
import { evaluatePolicy } from './evaluate.ts';
import type { ParameterKind } from './objects.ts';
import { type PolicyPorts, RequestScope, type SeenRequest } from './request-scope.ts';
import type { BoundPolicy, PolicyHook } from './source.ts';

export interface ValidationPorts extends PolicyPorts {
  readonly observer: PolicyObserver;
}

export const compile = ({ spec }: ValidatingAdmissionPolicy): Steps<CompiledPolicy> => compilePolicy(spec);

/** Validates a request by policies. @throws ApiError the first denial */
export const validateRequest = (
  request: AdmissionRequest,
  candidates: readonly Candidate<PolicyHook<CompiledPolicy>>[],
  ports: ValidationPorts,
): MaybePromise<void> => runWaiting(validate(request, candidates, ports));

function* validate(
  request: AdmissionRequest,
  candidates: readonly Candidate<PolicyHook<CompiledPolicy>>[],
  ports: ValidationPorts,
): Steps<void> {
  const scope = new RequestScope(request, ports);
  const verdict = new PolicyVerdict(request, ports.observer, ports.has);
  for (const candidate of candidates) {
    const { entry: hook } = candidate;
    const match = matchedVersion(candidate, request.name);
    if (match === undefined || !(yield* scope.selects(hook.selectors))) continue;
    const kind = scope.parameterKind(hook);
    if (kind !== undefined && 'problem' in kind) {
      if (!hook.ignoresErrors) verdict.misconfigured(hook.name, undefined, kind.problem);
      continue;
    }
    const annotations = new PolicyAnnotations();
    for (const bound of hook.bindings.candidates(request)) {
      if (matchedVersion(bound, request.name) === undefined) continue;
      if (!(yield* scope.selects(bound.entry.selectors))) continue;
      const see = () => scope.see(match);
      yield* evaluateBinding({
        scope,
        verdict,
        hook,
        kind,
        binding: bound.entry,
        annotations,
        see,
      });
    }
    annotations.publish(hook.name, request);
  }
  verdict.conclude();
}

interface BindingEvaluation {
  readonly scope: RequestScope;
  readonly verdict: PolicyVerdict;
  readonly hook: PolicyHook<CompiledPolicy>;
  readonly kind: ParameterKind | undefined;
  readonly binding: BoundPolicy;
  readonly annotations: PolicyAnnotations;
  readonly see: () => Steps<SeenRequest>;
}

function* evaluateBinding(evaluation: BindingEvaluation): Steps<void> {
  const { scope, verdict, hook, kind, binding, annotations, see } = evaluation;
  const misconfigured = (problem: string): void => {
    if (!hook.ignoresErrors) verdict.misconfigured(hook.name, binding.name, problem);
  };
  const parameters = yield* scope.parameters(hook, kind, binding);
  if ('problem' in parameters) {
    misconfigured(parameters.problem);
    return;
  }
  if (parameters.length === 0) return;
  let seen: SeenRequest;
  try {
    seen = yield* see();
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) throw error;
    misconfigured(`failed to convert object version: ${(error as Error).message}`);
    return;
  }
  const { name } = hook;
  const { values, conditionValues } = seen;
  const { turns, expired, metrics, request } = scope;
  const { operation } = request;
  for (const params of parameters) {
    const input = { name, operation, values, conditionValues, params, turns, expired, metrics };
    const result = yield* evaluatePolicy(hook.compiled, input);
    verdict.apply(name, binding, result, annotations);
  }
}
