import type { MutatingAdmissionPolicy } from '../../../model/generated/admissionregistration-v1alpha1.ts';
import type { AdmissionRequest } from '../../../request/admission.ts';
import { ApiError } from '../../../status/api-error.ts';
import { runWaiting } from '../../../steps/run.ts';
import { type MaybePromise, type Steps, waitFor } from '../../../steps/steps.ts';
import type { Candidate } from '../../matching/match-index.ts';
import { objectText, type Reinvocations } from '../../reinvocations.ts';
import { matchPolicy } from '../evaluate.ts';
import { type PolicyPorts, RequestScope, type SeenRequest } from '../request-scope.ts';
import type { PolicyHook } from '../source.ts';
import { type CompiledMutatingPolicy, compileMutatingPolicy } from './compile.ts';
import { MutationFailures } from './failures.ts';
import { type Invocation, invocationsOf } from './invocations.ts';
import { mutate } from './mutate.ts';
import { MutationError } from './mutation-error.ts';

export const compile = ({ spec }: MutatingAdmissionPolicy): Steps<CompiledMutatingPolicy> =>
  compileMutatingPolicy(spec);

/** The cost units of applying a mutation, for turns of the event loop: it looks whether the turn is over. */
const MUTATION_COST = 100_000;

export interface MutationPorts extends PolicyPorts {
  readonly reinvocationsOf: (request: AdmissionRequest) => Reinvocations;
}

/** Mutates the object of a request by policies, in the order of their names. @throws ApiError */
export const mutateRequest = (
  request: AdmissionRequest,
  candidates: readonly Candidate<PolicyHook<CompiledMutatingPolicy>>[],
  ports: MutationPorts,
): MaybePromise<void> => runWaiting(mutateAll(request, candidates, ports));

function* mutateAll(
  request: AdmissionRequest,
  candidates: readonly Candidate<PolicyHook<CompiledMutatingPolicy>>[],
  ports: MutationPorts,
): Steps<void> {
  const scope = new RequestScope(request, ports);
  const failures = new MutationFailures();
  const invocations = yield* invocationsOf(request, candidates, scope, failures);
  if (invocations.length > 0)
    yield* new MutationRound(request, scope, failures, ports.reinvocationsOf(request)).run(invocations);
  failures.conclude(request);
}

/** One round of mutating policies. */
class MutationRound {
  constructor(
    private readonly request: AdmissionRequest,
    private readonly scope: RequestScope,
    private readonly failures: MutationFailures,
    private readonly reinvocations: Reinvocations,
  ) {}

  *run(invocations: readonly Invocation[]): Steps<void> {
    const { request, reinvocations } = this;
    // Others changed the object after the policies: all that may run again do.
    const isSecond = request.rounds.round === 1;
    if (
      isSecond &&
      reinvocations.areWaiting &&
      reinvocations.output !== (yield* waitFor(objectText(request)))
    )
      this.#requireAgain();
    let isMutated = false;
    for (const invocation of invocations) {
      const seen = yield* this.#see(invocation);
      if (seen === undefined || !(yield* this.#matches(invocation, seen))) continue;
      if (isSecond && !reinvocations.isRequired(invocation.key)) continue;
      if (yield* this.#invoke(invocation)) isMutated = true;
      if (invocation.hook.compiled.isReinvoked) reinvocations.ran(invocation.key);
    }
    // As in kube-apiserver, a mutation without effect counts as well.
    if (isMutated) this.#requireAgain();
    reinvocations.output = reinvocations.areWaiting ? yield* waitFor(objectText(request)) : undefined;
  }

  /** The request as a policy sees it; undefined when the object cannot be converted. */
  *#see({ hook, match }: Invocation): Steps<SeenRequest | undefined> {
    try {
      return yield* this.scope.see(match);
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) throw error;
      this.failures.addPolicy(hook, (error as Error).message);
      return undefined;
    }
  }

  /** Evaluates the match conditions; their errors count by the failure policy. */
  *#matches({ hook, binding, params }: Invocation, { conditionValues }: SeenRequest): Steps<boolean> {
    const { conditions } = hook.compiled;
    if (conditions === undefined) return true;
    const { turns, expired, metrics, request } = this.scope;
    const { name } = hook;
    const { operation } = request;
    const input = { name, operation, conditionValues, params, turns, expired, metrics };
    const result = yield* matchPolicy(conditions, input);
    if (result.kind === 'error') this.failures.addMutation(hook, binding, result.message);
    return result.kind === 'match';
  }

  /** Applies all mutations of a policy: one that fails does not stop the others. */
  *#invoke({ hook, binding, params, match }: Invocation): Steps<boolean> {
    const { request, scope, failures } = this;
    if (request.object === undefined) return false;
    const { turns, expired, has } = scope;
    let isMutated = false;
    let isChanged = false;
    for (const mutation of hook.compiled.mutations) {
      const { values } = yield* scope.see(match);
      try {
        const input = { values, params, turns, expired, has };
        if (yield* mutate(hook.compiled, mutation, input, request, match)) isChanged = true;
        scope.objectChanged();
        isMutated = true;
        const turn = turns.after(MUTATION_COST);
        if (turn !== undefined) yield turn;
      } catch (error) {
        if (!(error instanceof MutationError)) throw error;
        failures.addMutation(hook, binding, error.message);
      }
    }
    if (isChanged) this.#requireAgain();
    return isMutated;
  }

  /** Marks the IfNeeded policies that ran for the second round. */
  #requireAgain(): void {
    this.reinvocations.require();
    this.request.rounds.needsSecond = true;
  }
}
