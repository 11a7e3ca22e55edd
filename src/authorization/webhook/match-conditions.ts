import { compile } from '../../cel/compile.ts';
import { declarationsOf } from '../../cel/declarations/declarations.ts';
import { AUTHORIZATION_MATCH_CONDITION, resultTypeError } from '../../cel/environments.ts';
import { evaluateAsync, type Program, plan } from '../../cel/planner/program.ts';
import { valueOfJson } from '../../cel/values/json.ts';
import type { ReviewSpec } from './review.ts';

/** The most that one condition may cost. */
const COST_LIMIT = 1_000_000;

const declarations = () => declarationsOf('stored', { variables: AUTHORIZATION_MATCH_CONDITION.variables });

/**
 * What is wrong with an expression of a match condition, in the words of configuration errors; undefined:
 * nothing.
 */
export function matchConditionError(expression: string): string | undefined {
  try {
    const checked = compile(expression, declarations());
    const wrong = resultTypeError(AUTHORIZATION_MATCH_CONDITION, checked.type);
    if (wrong !== undefined) return wrong;
  } catch (error) {
    return `compilation failed: ${(error as Error).message}`;
  }
  try {
    compileCondition(expression);
    return undefined;
  } catch (error) {
    return `program instantiation failed: ${(error as Error).message}`;
  }
}

interface Condition {
  readonly expression: string;
  readonly program: Program;
}

const compileCondition = (expression: string): Condition => ({
  expression,
  program: plan(compile(expression, declarations())),
});

/** Whether a webhook is asked about a request. */
export type MatchResult =
  | { readonly kind: 'match' }
  /** A condition is false, whatever the others are. */
  | { readonly kind: 'excluded' }
  /** No condition is false, and some have no value. */
  | { readonly kind: 'error'; readonly message: string };

export interface ConditionMatcher {
  readonly size: number;
  match(spec: ReviewSpec): Promise<MatchResult>;
}

/**
 * Prepares the conditions of a webhook.
 * @throws Error for an expression that {@link matchConditionError} refuses
 */
export function createMatcher(expressions: readonly string[]): ConditionMatcher {
  const conditions = expressions.map(compileCondition);
  return {
    size: conditions.length,
    async match(spec) {
      const request = valueOfJson(requestObject(spec));
      const bindings = new Map([['request', request]]);
      const faults: string[] = [];
      for (const { expression, program } of conditions) {
        const evaluation = await evaluateAsync(program, bindings, { limit: COST_LIMIT });
        if (evaluation.kind === 'error')
          faults.push(
            `cel evaluation error: expression '${expression}' resulted in error: ${evaluation.error.message}`,
          );
        else if (typeof evaluation.value !== 'boolean')
          faults.push(`cel evaluation error: expression '${expression}' eval result type should be bool`);
        else if (!evaluation.value) return { kind: 'excluded' };
      }
      if (faults.length === 0) return { kind: 'match' };
      const distinct = [...new Set(faults)];
      return { kind: 'error', message: distinct.length === 1 ? distinct[0]! : `[${distinct.join(', ')}]` };
    },
  };
}

/**
 * `request` in expressions: texts are there even when they are empty, the attributes of the other kind of
 * request and absent selectors are not.
 */
function requestObject({
  resourceAttributes,
  nonResourceAttributes,
  user = '',
  groups = [],
  extra = {},
  uid = '',
}: ReviewSpec): object {
  const texts = { namespace: '', verb: '', group: '', version: '', resource: '', subresource: '', name: '' };
  return {
    user,
    groups,
    uid,
    extra,
    ...(resourceAttributes === undefined ? {} : { resourceAttributes: { ...texts, ...resourceAttributes } }),
    ...(nonResourceAttributes === undefined
      ? {}
      : { nonResourceAttributes: { path: '', verb: '', ...nonResourceAttributes } }),
  };
}
