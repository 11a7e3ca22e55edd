import type { Steps } from '../steps/steps.ts';
import { processClock } from '../time/clock.ts';
import type { ComposedVariables } from './composition.ts';
import type { Bindings } from './planner/frame.ts';
import type { Program } from './planner/program.ts';
import type { Value } from './values/value.ts';

/** The limit on the cost of one evaluation. */
const EXPRESSION_LIMIT = 1_000_000;
const UNTIMED = { limit: EXPRESSION_LIMIT };

export const OUT_OF_BUDGET =
  'validation failed due to running out of cost budget, no further validation rules will be run';

/** An expression of a list. */
export interface ListedExpression {
  readonly text: string;
  /** Absent if the expression does not compile. */
  readonly program?: Program | undefined;
  /** Why it does not compile. */
  readonly error?: string | undefined;
}

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
  /** Called with the cost of each evaluation: a promise ends the turn of the event loop. */
  readonly turns?: { after(cost: number): Promise<void> | undefined };
  /** Whether the deadline of the request has passed. */
  readonly expired?: (() => boolean) | undefined;
  /** Expressions behind the first that is false are not evaluated. */
  readonly stopsAtFalse?: boolean;
}

/**
 * Evaluates expressions in order within a shared budget of cost units; an error of one of them does not stop
 * the others. It pauses at promises: authorization decisions, and turns of the event loop.
 * @param expressions undefined at places that have no expression
 */
export function* evaluateAll(
  expressions: readonly (ListedExpression | undefined)[],
  { bindings, variables, turns, expired, stopsAtFalse = false }: EvaluationScope,
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
    const started = processClock.monotonic();
    const limits = expired === undefined ? UNTIMED : { limit: EXPRESSION_LIMIT, expired };
    let evaluation = expression.program.evaluate(bindings, limits);
    while (evaluation.kind === 'suspended') {
      yield evaluation.until;
      evaluation = expression.program.evaluate(bindings, limits);
    }
    const cost = evaluation.cost + (variables?.takeCost() ?? 0);
    const turn = turns?.after(cost);
    if (turn !== undefined) yield turn;
    remaining -= cost;
    if (remaining < 0) return undefined;
    const elapsed = processClock.monotonic() - started;
    results.push(
      evaluation.kind === 'value'
        ? { value: evaluation.value, cost, elapsed }
        : {
            error: `expression '${expression.text}' resulted in error: ${evaluation.error.message}`,
            cost,
            elapsed,
          },
    );
    if (stopsAtFalse && evaluation.kind === 'value' && evaluation.value === false) break;
  }
  return { results, remaining };
}
