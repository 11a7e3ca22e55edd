import { compile } from '../../cel/compile.ts';
import { declarationsOf } from '../../cel/declarations/declarations.ts';
import { AUTHORIZATION_MATCH_CONDITION, resultTypeError } from '../../cel/environments.ts';
import type { ListedExpression } from '../../cel/evaluate-all.ts';
import { evaluateConditions, type MatchResult } from '../../cel/match-conditions.ts';
import { plan } from '../../cel/planner/program.ts';
import { valueOfJson } from '../../cel/values/json.ts';
import { runWaiting } from '../../steps/run.ts';
import type { ReviewSpec } from './review.ts';

const declarations = () => declarationsOf('stored', { variables: AUTHORIZATION_MATCH_CONDITION.variables });

/**
 * The configuration error of a match condition's expression; undefined for a valid one.
 */
export function matchConditionError(expression: string): string | undefined {
  let checked: ReturnType<typeof compile>;
  try {
    checked = compile(expression, declarations());
    const wrong = resultTypeError(AUTHORIZATION_MATCH_CONDITION, checked.type);
    if (wrong !== undefined) return wrong;
  } catch (error) {
    return `compilation failed: ${(error as Error).message}`;
  }
  try {
    plan(checked);
    return undefined;
  } catch (error) {
    return `program instantiation failed: ${(error as Error).message}`;
  }
}

const compileCondition = (expression: string): ListedExpression => ({
  text: expression,
  program: plan(compile(expression, declarations())),
});

export interface ConditionMatcher {
  readonly size: number;
  match(spec: ReviewSpec): MatchResult | Promise<MatchResult>;
}

/**
 * Compiles the match conditions of a webhook.
 * @throws Error for an expression that {@link matchConditionError} rejects
 */
export function createMatcher(expressions: readonly string[]): ConditionMatcher {
  const conditions = expressions.map(compileCondition);
  return {
    size: conditions.length,
    match(spec) {
      const bindings = new Map([['request', valueOfJson(requestObject(spec))]]);
      const scope = { bindings, stopsAtFalse: true, prefix: 'cel evaluation error: ' };
      return runWaiting(evaluateConditions(conditions, scope));
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
