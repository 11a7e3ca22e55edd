import type { MutatingAdmissionPolicy } from '../../../model/generated/admissionregistration-v1alpha1.ts';
import { apiVersionOf } from '../../../model/object.ts';
import type { AdmissionRequest } from '../../../request/admission.ts';
import type { MaybePromise } from '../../../request/context.ts';
import { runPausing, type Steps, settled } from '../../../request/scheduling/steps.ts';
import { ApiError } from '../../../status/api-error.ts';
import type { Candidate } from '../../matching/match-index.ts';
import { matchPolicy } from '../evaluate.ts';
import { type PolicyPorts, RequestScope, type SeenRequest } from '../request-scope.ts';
import type { PolicyHook } from '../source.ts';
import { type CompiledMutatingPolicy, compileMutatingPolicy } from './compile.ts';
import { MutationFailures } from './failures.ts';
import { type Invocation, invocationsOf } from './invocations.ts';
import { mutate } from './mutate.ts';
import { MutationError } from './mutation-error.ts';

export const compile = ({ spec }: MutatingAdmissionPolicy): Generator<number, CompiledMutatingPolicy> =>
  compileMutatingPolicy(spec);

/** The cost units of applying a mutation, for turns of the event loop: it looks whether the turn is over. */
const MUTATION_COST = 100_000;

/** What the second round of a request needs to know of the first one. */
export interface MutationRounds {
  /** IfNeeded invocations that ran since a policy last changed the object. */
  readonly ran: Set<string>;
  /** Invocations to run again. */
  readonly again: Set<string>;
  /** The object after the policies of the first round; undefined if nothing waits for a change. */
  output: string | undefined;
}

export interface MutationPorts extends PolicyPorts {
  /** The rounds of a request, made on first use. */
  readonly rounds: (request: AdmissionRequest) => MutationRounds;
}

/** Mutates the object of a request by policies, in the order of their names. @throws ApiError */
export const mutateRequest = (
  request: AdmissionRequest,
  candidates: readonly Candidate<PolicyHook<CompiledMutatingPolicy>>[],
  ports: MutationPorts,
): MaybePromise<void> => runPausing(mutateAll(request, candidates, ports));

function* mutateAll(
  request: AdmissionRequest,
  candidates: readonly Candidate<PolicyHook<CompiledMutatingPolicy>>[],
  ports: MutationPorts,
): Steps<void> {
  const scope = new RequestScope(request, ports);
  const failures = new MutationFailures();
  const invocations = yield* invocationsOf(request, candidates, scope, failures);
  if (invocations.length > 0)
    yield* new MutationRound(request, scope, failures, ports.rounds(request)).run(invocations);
  failures.conclude(request);
}

/** One round of mutating policies. */
class MutationRound {
  constructor(
    private readonly request: AdmissionRequest,
    private readonly scope: RequestScope,
    private readonly failures: MutationFailures,
    private readonly rounds: MutationRounds,
  ) {}

  *run(invocations: readonly Invocation[]): Steps<void> {
    const { request, rounds } = this;
    // Others changed the object after the policies: all that may run again do.
    const isSecond = request.rounds.round === 1;
    if (isSecond && rounds.ran.size > 0 && rounds.output !== (yield* this.#output())) this.#requireAgain();
    let isMutated = false;
    for (const invocation of invocations) {
      const seen = yield* this.#see(invocation);
      if (seen === undefined || !(yield* this.#matches(invocation, seen))) continue;
      if (isSecond && !rounds.again.has(invocation.key)) continue;
      if (yield* this.#invoke(invocation)) isMutated = true;
      if (invocation.hook.compiled.isReinvoked) rounds.ran.add(invocation.key);
    }
    // As in kube-apiserver, a mutation without effect counts as well.
    if (isMutated) this.#requireAgain();
    rounds.output = rounds.ran.size === 0 ? undefined : yield* this.#output();
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
    const { turns, expired } = scope;
    let isMutated = false;
    let isChanged = false;
    for (const mutation of hook.compiled.mutations) {
      const { values } = yield* scope.see(match);
      try {
        const input = { values, params, turns, expired };
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
    const { ran, again } = this.rounds;
    for (const key of ran) again.add(key);
    ran.clear();
    this.request.rounds.needsSecond = true;
  }

  /** The present object as text. */
  *#output(): Steps<string | undefined> {
    const { kind } = this.request;
    const { object } = yield* settled(this.request.inVersion(apiVersionOf(kind.group, kind.version)));
    return object?.json();
  }
}
