import { aggregate } from '../errors/aggregate.ts';
import type { Steps } from '../steps/steps.ts';
import { type EvaluationScope, evaluateAll, type ListedExpression, OUT_OF_BUDGET } from './evaluate-all.ts';

/** What match conditions decide about a request. */
export type MatchResult =
  | { readonly kind: 'match' }
  /** One condition is false; errors of others do not count. */
  | {
      readonly kind: 'excluded';
      /** The index of the first condition that is false. */
      readonly index: number;
      /** The number of conditions before it that failed. */
      readonly failures: number;
    }
  /** No condition is false, and at least one failed, or they are too costly. */
  | { readonly kind: 'error'; readonly message: string; readonly failures: number };

export interface ConditionScope extends EvaluationScope {
  /** Maximum cost of all conditions. */
  readonly budget?: number;
  /** Begins the text of each error. */
  readonly prefix?: string;
}

const MATCH: MatchResult = { kind: 'match' };

/** Evaluates match conditions: one that is false decides, otherwise an error, otherwise they match. */
export function* evaluateConditions(
  conditions: readonly ListedExpression[],
  scope: ConditionScope,
): Steps<MatchResult> {
  const { budget = Number.POSITIVE_INFINITY, prefix = '' } = scope;
  const evaluated = yield* evaluateAll(conditions, scope, budget);
  if (evaluated === undefined) return { kind: 'error', message: OUT_OF_BUDGET, failures: 0 };
  const errors: string[] = [];
  for (const [index, result] of evaluated.results.entries()) {
    if (result?.error !== undefined) errors.push(`${prefix}${result.error}`);
    if (result?.value === false) return { kind: 'excluded', index, failures: errors.length };
  }
  if (errors.length === 0) return MATCH;
  return { kind: 'error', message: aggregate(errors), failures: errors.length };
}
