import { aggregate } from '../errors/aggregate.ts';
import type { Bindings } from './planner/frame.ts';
import { type Evaluation, evaluateAsync, type Program } from './planner/program.ts';

/** Whether match conditions let a request through. */
export type MatchResult =
  | { readonly kind: 'match' }
  /** At least one condition is false; errors of others do not count. */
  | { readonly kind: 'excluded' }
  /** No condition is false, and at least one failed. */
  | { readonly kind: 'error'; readonly message: string; readonly failures: number };

/** A compiled match condition. */
export interface MatchCondition {
  readonly expression: string;
  readonly program: Program;
}

export interface MatchConditionLimits {
  /** Maximum cost of one condition. */
  readonly limit: number;
  /** Begins the text of each error. */
  readonly prefix?: string;
}

const MATCH: MatchResult = { kind: 'match' };
const EXCLUDED: MatchResult = { kind: 'excluded' };

type Finished = Exclude<Evaluation, { kind: 'suspended' }>;

/**
 * Evaluates match conditions in their order: a false one decides, otherwise an error, otherwise they match.
 * The result is a promise only if an authorization decision is.
 */
export function evaluateConditions(
  conditions: readonly MatchCondition[],
  bindings: Bindings,
  limits: MatchConditionLimits,
): MatchResult | Promise<MatchResult> {
  return evaluateFrom(0, conditions, bindings, limits, []);
}

function evaluateFrom(
  start: number,
  conditions: readonly MatchCondition[],
  bindings: Bindings,
  limits: MatchConditionLimits,
  problems: string[],
): MatchResult | Promise<MatchResult> {
  const bounds = { limit: limits.limit };
  for (let index = start; index < conditions.length; index++) {
    const { expression, program } = conditions[index]!;
    const evaluation = program.evaluate(bindings, bounds);
    const proceed = (finished: Finished): boolean => {
      const problem = problemOf(finished, expression);
      if (problem !== undefined) problems.push(`${limits.prefix ?? ''}${problem}`);
      return finished.kind === 'error' || finished.value !== false;
    };
    if (evaluation.kind === 'suspended')
      return evaluateAsync(program, bindings, bounds).then((finished) =>
        proceed(finished) ? evaluateFrom(index + 1, conditions, bindings, limits, problems) : EXCLUDED,
      );
    if (!proceed(evaluation)) return EXCLUDED;
  }
  if (problems.length === 0) return MATCH;
  return { kind: 'error', message: aggregate(problems), failures: problems.length };
}

function problemOf(evaluation: Finished, expression: string): string | undefined {
  if (evaluation.kind === 'error')
    return `expression '${expression}' resulted in error: ${evaluation.error.message}`;
  return typeof evaluation.value === 'boolean'
    ? undefined
    : `expression '${expression}' eval result type should be bool`;
}
