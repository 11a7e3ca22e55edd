import { aggregate } from '../../errors/aggregate.ts';
import type { MatchCondition } from '../../model/generated/admissionregistration-v1.ts';
import { type CompiledExpression, compileExpression } from './compiled.ts';
import { type EvaluationScope, evaluateAll, OUT_OF_BUDGET } from './evaluation.ts';
import type { Steps } from './steps.ts';

/** The match conditions of a webhook or a policy. */
export interface CompiledConditions {
  readonly names: readonly string[];
  readonly expressions: readonly CompiledExpression[];
}

/** What match conditions decide; with an error, the failure policy decides. */
export type ConditionsResult =
  | { readonly matches: true }
  /** @property condition the first condition that is false */
  | { readonly matches: false; readonly condition: string }
  | { readonly matches: undefined; readonly error: string; readonly failures: number };

/** The budget of cost units for all conditions of one webhook or policy. */
const CONDITIONS_BUDGET = 2_500_000;

/** Compiles conditions; yields the length of each expression, in characters. @param params has `params` */
export function* compileConditions(
  conditions: readonly MatchCondition[] | undefined,
  params: boolean,
): Generator<number, CompiledConditions | undefined> {
  if (conditions === undefined || conditions.length === 0) return undefined;
  const expressions: CompiledExpression[] = [];
  for (const { expression = '' } of conditions) {
    expressions.push(compileExpression(expression, 'condition', params));
    yield expression.length;
  }
  return { names: conditions.map(({ name = '' }) => name), expressions };
}

/** Evaluates all conditions: one that is false decides, whatever errors others have. */
export function* evaluateConditions(
  { names, expressions }: CompiledConditions,
  scope: EvaluationScope,
): Steps<ConditionsResult> {
  const evaluated = yield* evaluateAll(expressions, scope, CONDITIONS_BUDGET);
  if (evaluated === undefined) return { matches: undefined, error: OUT_OF_BUDGET, failures: 0 };
  const errors: string[] = [];
  for (const [index, result] of evaluated.results.entries()) {
    if (result?.value === false) return { matches: false, condition: names[index]! };
    if (result?.error !== undefined) errors.push(result.error);
  }
  if (errors.length === 0) return { matches: true };
  return { matches: undefined, error: aggregate(errors), failures: errors.length };
}
