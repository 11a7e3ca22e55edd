import { isReserved } from '../../cel/syntax/reserved.ts';
import { type FieldError, internal, invalid, required } from '../../status/field-error.ts';

/** Variables that an expression may use and the result types that it may have. */
export interface ExpressionEnvironment {
  /** Whether `params` is available. */
  readonly hasParams: boolean;
  /** Whether `authorizer` is available. */
  readonly hasAuthorizer: boolean;
  /**
   * The variables of the policy, in order. All expressions of a policy share the same list, so that its types
   * are computed once.
   */
  readonly variables: readonly { readonly name: string; readonly expression: string }[];
  /**
   * Number of visible variables, from the first: a variable can refer to the previous ones. This is also the
   * index of the variable itself. Default: all are visible.
   */
  readonly visibleVariables?: number;
  /** Allowed result types; empty: any. `Object` and `JSONPatch` are those of mutations. */
  readonly results: readonly ('bool' | 'string' | 'null_type')[] | 'Object' | 'JSONPatch';
  /**
   * Expressions of the stored object at the same kind of field: they may use everything that stored
   * expressions may use.
   */
  readonly stored: ReadonlySet<string>;
  /** The minor version (of 1.x) whose functions new expressions can use; default: 31. */
  readonly compatibility?: number;
}

/** A problem of an expression. */
export interface ExpressionProblem {
  /** `compilation failed: …`, `must evaluate to bool but got int`. */
  readonly text: string;
  /** The expression compiles, but program creation fails. */
  readonly isInternal?: boolean;
}

/** Compiles expressions without running them. */
export interface ExpressionChecker {
  /** Loads the CEL engine; awaited before the first check. */
  load?(): Promise<void>;
  /** @param field path of the expression in its object */
  check(expression: string, environment: ExpressionEnvironment, field: string): ExpressionProblem | undefined;
}

/** Accepts every expression. */
export const UNCHECKED: ExpressionChecker = { check: () => undefined };

/** Checks expressions of fields whose expressions are compiled without the blanks around them. */
export const trimming = (checker: ExpressionChecker): ExpressionChecker => ({
  check: (expression, environment, field) => checker.check(expression.trim(), environment, field),
});

let engine: typeof import('./expression-types.ts') | undefined;

/**
 * Compiles expressions. The CEL engine is loaded with the first object that has expressions, so that startup
 * does not wait for it.
 */
export const COMPILING: ExpressionChecker = {
  async load() {
    engine ??= await import('./expression-types.ts');
  },
  check(expression, environment) {
    if (engine === undefined)
      throw new Error('CEL engine is not loaded: await load() before checking expressions');
    return engine.checkExpression(expression, environment);
  },
};

/** Environment of match conditions of webhooks: `object`, `oldObject`, `request` and `authorizer`. */
export const conditionEnvironment = (
  stored: ReadonlySet<string>,
  hasParams = false,
): ExpressionEnvironment => ({
  hasParams,
  hasAuthorizer: true,
  variables: [],
  results: ['bool'],
  stored,
});

/** Validates a required expression. @param detail error detail when it is missing */
export function validateExpression(
  expression: string | undefined,
  field: string,
  environment: ExpressionEnvironment,
  checker: ExpressionChecker,
  detail = '',
): FieldError[] {
  if ((expression ?? '').trim() === '') return [required(field, detail)];
  const problem = checker.check(expression!, environment, field);
  if (problem === undefined) return [];
  return [problem.isInternal ? internal(field, problem.text) : invalid(field, expression, problem.text)];
}

/** Returns whether a name is a valid CEL identifier. */
export const isExpressionIdentifier = (name: string): boolean =>
  /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !isReserved(name);
