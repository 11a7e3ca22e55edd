import { type FieldError, invalid, required } from '../../../status/field-error.ts';

/** What an expression may refer to, and what it must evaluate to. */
export interface ExpressionEnvironment {
  /** `params` may be used. */
  readonly hasParams: boolean;
  /** `authorizer` may be used. */
  readonly hasAuthorizer: boolean;
  /** What `variables` holds, in order. */
  readonly variables: readonly { readonly name: string; readonly expression: string }[];
  /** How many of them are visible, from the first: a variable sees those before it. Default: all. */
  readonly visibleVariables?: number;
  /** Type names the result may have; empty: any. */
  readonly results: readonly string[];
}

/** Compiles expressions without running them. */
export interface ExpressionChecker {
  /** Why the expression cannot be used (`compilation failed: …`, `must evaluate to bool but got int`), or undefined. */
  check(expression: string, environment: ExpressionEnvironment): string | undefined;
}

/** Takes every expression as it stands. */
export const UNCHECKED: ExpressionChecker = { check: () => undefined };

/** Nothing but `object`, `oldObject`, `request` and `authorizer`: what conditions of webhooks see. */
export const CONDITION: ExpressionEnvironment = { hasParams: false, hasAuthorizer: true, variables: [], results: ['bool'] };

/** An expression that must be there. @param detail of the error when it is not */
export function validateExpression(
  expression: string | undefined,
  field: string,
  environment: ExpressionEnvironment,
  checker: ExpressionChecker,
  detail = '',
): FieldError[] {
  if ((expression ?? '').trim() === '') return [required(field, detail)];
  const text = checker.check(expression!, environment);
  return text === undefined ? [] : [invalid(field, expression, text)];
}

const RESERVED = new Set([
  'true',
  'false',
  'null',
  'in',
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
]);

export const isExpressionIdentifier = (name: string): boolean => /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !RESERVED.has(name);
