import { isReserved } from '../../../cel/syntax/reserved.ts';
import { type FieldError, internal, invalid, required } from '../../../status/field-error.ts';

/** What an expression may refer to, and what it must evaluate to. */
export interface ExpressionEnvironment {
  /** `params` may be used. */
  readonly hasParams: boolean;
  /** `authorizer` may be used. */
  readonly hasAuthorizer: boolean;
  /**
   * What `variables` holds, in order. All expressions of a policy get the same list, so that its types are
   * found once.
   */
  readonly variables: readonly { readonly name: string; readonly expression: string }[];
  /**
   * How many of them are visible, from the first: a variable sees those before it, and is the one at this
   * place itself. Default: all.
   */
  readonly visibleVariables?: number;
  /**
   * Type names the result may have; empty: any. `syntax`: the types are not known here, only how the
   * expression is written is looked at.
   */
  readonly results: readonly ('bool' | 'string' | 'null_type')[] | 'syntax';
  /** Expressions that are stored at such places already: they may use whatever stored ones may. */
  readonly stored: ReadonlySet<string>;
}

/** Why an expression can't be used. */
export interface ExpressionProblem {
  /** `compilation failed: …`, `must evaluate to bool but got int`. */
  readonly text: string;
  /** It compiles, but no program can be made of it. */
  readonly isInternal?: boolean;
}

/** Compiles expressions without running them. */
export interface ExpressionChecker {
  /** Loads the engine; awaited before anything is asked. */
  load?(): Promise<void>;
  check(expression: string, environment: ExpressionEnvironment): ExpressionProblem | undefined;
}

/** Takes every expression as it stands. */
export const UNCHECKED: ExpressionChecker = { check: () => undefined };

let engine: typeof import('./expression-types.ts') | undefined;

/**
 * Compiles expressions. The engine is loaded with the first object that has some, so that starting does not
 * wait for it.
 */
export const COMPILING: ExpressionChecker = {
  async load() {
    engine ??= await import('./expression-types.ts');
  },
  check(expression, environment) {
    if (engine === undefined) throw new Error('expressions are checked before their engine is loaded');
    return engine.checkExpression(expression, environment);
  },
};

/** What the conditions of webhooks see: `object`, `oldObject`, `request` and `authorizer`. */
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

/** An expression that must be there. @param detail of the error when it is not */
export function validateExpression(
  expression: string | undefined,
  field: string,
  environment: ExpressionEnvironment,
  checker: ExpressionChecker,
  detail = '',
): FieldError[] {
  if ((expression ?? '').trim() === '') return [required(field, detail)];
  const problem = checker.check(expression!, environment);
  if (problem === undefined) return [];
  return [problem.isInternal ? internal(field, problem.text) : invalid(field, expression, problem.text)];
}

/** Whether expressions can refer to a variable by this name. */
export const isExpressionIdentifier = (name: string): boolean =>
  /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !isReserved(name);
