import { evaluateConditions, type ListedExpression, type MatchResult } from '../../cel/index.ts';
import type { MatchCondition } from '../../model/generated/admissionregistration-v1.ts';
import type { AdmissionMatchMetrics } from '../../observability/metrics-admission.ts';
import type { AdmissionOperation } from '../../request/admission.ts';
import type { Steps } from '../../steps/steps.ts';
import type { CostTurns } from '../../steps/turns.ts';
import { processClock } from '../../time/clock.ts';
import { compileExpression } from './compiled.ts';
import type { RequestBindings } from './values.ts';

/** The compiled match conditions of a webhook or a policy. */
export interface CompiledConditions {
  readonly names: readonly string[];
  readonly expressions: readonly ListedExpression[];
}

/** Whose conditions are evaluated, for metrics. */
export interface ConditionOwner {
  readonly kind: 'webhook' | 'policy';
  readonly name: string;
  /** In the metrics of evaluations; that of exclusions is `validate` instead of `validating`. */
  readonly type: 'admit' | 'validate' | 'validating';
  readonly operation: AdmissionOperation;
}

export interface ConditionEvaluation {
  readonly owner: ConditionOwner;
  readonly bindings: RequestBindings;
  readonly turns: CostTurns;
  readonly expired?: (() => boolean) | undefined;
  /** Undefined outside of a server. */
  readonly metrics: AdmissionMatchMetrics | undefined;
}

/** The budget of cost units for all conditions of one webhook or policy. */
const CONDITIONS_BUDGET = 2_500_000;

/** Compiles conditions. @param params has `params` */
export function* compileConditions(
  conditions: readonly MatchCondition[] | undefined,
  params: boolean,
): Steps<CompiledConditions | undefined> {
  if (conditions === undefined || conditions.length === 0) return undefined;
  const expressions: ListedExpression[] = [];
  for (const { expression = '' } of conditions) {
    expressions.push(compileExpression(expression, 'condition', params));
    yield;
  }
  return { names: conditions.map(({ name = '' }) => name), expressions };
}

/** Evaluates the match conditions of a webhook or a policy. Conditions that match are not measured. */
export function* matchConditions(
  { expressions }: CompiledConditions,
  { owner, bindings, turns, expired, metrics }: ConditionEvaluation,
): Steps<MatchResult> {
  const started = processClock.monotonic();
  const scope = { bindings, turns, expired, budget: CONDITIONS_BUDGET };
  const result = yield* evaluateConditions(expressions, scope);
  if (metrics === undefined || result.kind === 'match') return result;
  const labels = [owner.kind, owner.name, owner.operation, owner.type];
  metrics.matchConditionDuration.with(...labels).observe((processClock.monotonic() - started) / 1000);
  if (result.failures > 0) metrics.matchConditionErrors.with(...labels).add(result.failures);
  if (result.kind === 'excluded' && owner.kind === 'webhook') {
    const type = owner.type === 'admit' ? 'admit' : 'validate';
    metrics.matchConditionExclusions.with(owner.kind, owner.name, owner.operation, type).add();
  }
  return result;
}
