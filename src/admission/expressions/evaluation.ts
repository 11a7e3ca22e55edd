import type { Bindings, ComposedVariables, Value } from '../../cel/index.ts';
import type { CompiledExpression } from './compiled.ts';
import type { Steps, Turns } from './steps.ts';

/** The limit on the cost of one evaluation. */
const EXPRESSION_LIMIT = 1_000_000;

export const OUT_OF_BUDGET =
  'validation failed due to running out of cost budget, no further validation rules will be run';

/** The result of one expression. */
export interface ExpressionResult {
  readonly value?: Value;
  /** The complete text of an error; the result has no value then. */
  readonly error?: string;
  readonly cost: number;
  /** Milliseconds. */
  readonly elapsed: number;
}

/** The results in the order of the expressions, and the remaining budget; undefined if it was exceeded. */
export type EvaluationResults =
  | { readonly results: readonly (ExpressionResult | undefined)[]; readonly remaining: number }
  | undefined;

export interface EvaluationScope {
  readonly bindings: Bindings;
  /** The value of `variables`, which has costs of its own. */
  readonly variables?: ComposedVariables;
  readonly turns: Turns;
  /** Whether the deadline of the request has passed. */
  readonly expired?: () => boolean;
}

/**
 * Evaluates expressions in order within a shared budget of cost units; an error of one of them does not stop
 * the others.
 * @param expressions undefined at places that have no expression
 */
export function* evaluateAll(
  expressions: readonly (CompiledExpression | undefined)[],
  { bindings, variables, turns, expired }: EvaluationScope,
  budget: number,
): Steps<EvaluationResults> {
  const results: (ExpressionResult | undefined)[] = [];
  let remaining = budget;
  for (const expression of expressions) {
    if (expression?.program === undefined) {
      results.push(
        expression && { error: `compilation error: ${expression.error ?? ''}`, cost: 0, elapsed: 0 },
      );
      continue;
    }
    const started = performance.now();
    const limits = { limit: EXPRESSION_LIMIT, expired };
    let evaluation = expression.program.evaluate(bindings, limits);
    while (evaluation.kind === 'suspended') {
      yield evaluation.until;
      evaluation = expression.program.evaluate(bindings, limits);
    }
    const cost = evaluation.cost + (variables?.takeCost() ?? 0);
    const turn = turns.after(cost);
    if (turn !== undefined) yield turn;
    remaining -= cost;
    if (remaining < 0) return undefined;
    const elapsed = performance.now() - started;
    results.push(
      evaluation.kind === 'value'
        ? { value: evaluation.value, cost, elapsed }
        : {
            error: `expression '${expression.text}' resulted in error: ${evaluation.error.message}`,
            cost,
            elapsed,
          },
    );
  }
  return { results, remaining };
}
