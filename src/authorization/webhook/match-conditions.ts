import { compile } from '../../cel/compile.ts';
import { declarationsOf } from '../../cel/declarations/declarations.ts';
import { AUTHORIZATION_MATCH_CONDITION, resultTypeError } from '../../cel/environments.ts';
import { evaluateAsync, type Program, plan } from '../../cel/planner/program.ts';
import { valueOfJson } from '../../cel/values/json.ts';
import type { ReviewSpec } from './review.ts';

/** Cost limit of one condition. */
const COST_LIMIT = 1_000_000;

const declarations = () => declarationsOf('stored', { variables: AUTHORIZATION_MATCH_CONDITION.variables });

/**
 * The configuration error of a match condition's expression; undefined for a valid one.
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

/** Whether a webhook is called for a request. */
export type MatchResult =
  | { readonly kind: 'match' }
  /** At least one condition is false. */
  | { readonly kind: 'excluded' }
  /** No condition is false, and at least one failed. */
  | { readonly kind: 'error'; readonly message: string };

export interface ConditionMatcher {
  readonly size: number;
  match(spec: ReviewSpec): Promise<MatchResult>;
}

/**
 * Compiles the match conditions of a webhook.
 * @throws Error for an expression that {@link matchConditionError} rejects
 */
export function createMatcher(expressions: readonly string[]): ConditionMatcher {
  const conditions = expressions.map(compileCondition);
  return {
    size: conditions.length,
    async match(spec) {
      const request = valueOfJson(requestObject(spec));
      const bindings = new Map([['request', request]]);
      const errors: string[] = [];
      for (const { expression, program } of conditions) {
        const evaluation = await evaluateAsync(program, bindings, { limit: COST_LIMIT });
        if (evaluation.kind === 'error')
          errors.push(
            `cel evaluation error: expression '${expression}' resulted in error: ${evaluation.error.message}`,
          );
        else if (typeof evaluation.value !== 'boolean')
          errors.push(`cel evaluation error: expression '${expression}' eval result type should be bool`);
        else if (!evaluation.value) return { kind: 'excluded' };
      }
      if (errors.length === 0) return { kind: 'match' };
      const distinct = [...new Set(errors)];
      return { kind: 'error', message: distinct.length === 1 ? distinct[0]! : `[${distinct.join(', ')}]` };
    },
  };
}

/**
 * The variable `request`: empty strings are present; absent selectors and the attributes of the other kind of
 * request are not.
 */
function requestObject({
  resourceAttributes,
  nonResourceAttributes,
  user = '',
  groups = [],
  extra = {},
  uid = '',
}: ReviewSpec): object {
  const defaults = {
    namespace: '',
    verb: '',
    group: '',
    version: '',
    resource: '',
    subresource: '',
    name: '',
  };
  return {
    user,
    groups,
    uid,
    extra,
    ...(resourceAttributes === undefined
      ? {}
      : { resourceAttributes: { ...defaults, ...resourceAttributes } }),
    ...(nonResourceAttributes === undefined
      ? {}
      : { nonResourceAttributes: { path: '', verb: '', ...nonResourceAttributes } }),
  };
}
