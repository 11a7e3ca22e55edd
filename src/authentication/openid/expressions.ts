import {
  CLAIM_MAPPING,
  CLAIM_VALIDATION,
  CompileError,
  compile,
  declarationsOf,
  type Environment,
  type Expression,
  type Program,
  ProgramError,
  plan,
  resultTypeError,
  USER_VALIDATION,
  type Value,
} from '../../cel/index.ts';
import { BinnacleError } from '../../errors/binnacle-error.ts';
import { AuthenticationError } from '../../request/authenticator.ts';

/** Cost limit of one evaluation. */
const COST_LIMIT = 1_000_000;

/** A compiled CEL expression. */
export interface CompiledExpression {
  readonly text: string;
  readonly root: Expression;
  readonly program: Program;
}

const ENVIRONMENTS = {
  mapping: CLAIM_MAPPING,
  claimRule: CLAIM_VALIDATION,
  userRule: USER_VALIDATION,
} as const satisfies Record<string, Environment>;

/** A compilation error, formatted for a field error. */
export class ExpressionError extends BinnacleError {
  override name = 'ExpressionError';
  readonly code = 'ERR_BINNACLE_EXPRESSION';
}

/** Compiles an expression for a field of an AuthenticationConfiguration. @throws ExpressionError */
export function compileExpression(text: string, place: keyof typeof ENVIRONMENTS): CompiledExpression {
  const environment = ENVIRONMENTS[place];
  try {
    const checked = compile(text, declarationsOf('stored', environment));
    const wrong = resultTypeError(environment, checked.type);
    if (wrong !== undefined) throw new ExpressionError(wrong);
    return { text, root: checked.root, program: plan(checked) };
  } catch (error) {
    if (error instanceof CompileError) throw new ExpressionError(`compilation failed: ${error.message}`);
    if (error instanceof ProgramError)
      throw new ExpressionError(`program instantiation failed: ${error.message}`);
    throw error;
  }
}

/** Evaluates an expression. @throws AuthenticationError when the evaluation fails */
export function evaluateExpression(
  { text, program }: CompiledExpression,
  variable: 'claims' | 'user',
  value: Value,
): Value {
  const outcome = program.evaluate(new Map([[variable, value]]), { limit: COST_LIMIT });
  if (outcome.kind === 'value') return outcome.value;
  const reason = outcome.kind === 'error' ? outcome.error.message : 'unknown value';
  throw new AuthenticationError(`expression '${text}' resulted in error: ${reason}`);
}

/**
 * Whether an expression reads a member of a variable: `claims.email`, `claims.?email`, `has(claims.email)`.
 */
export function readsMember(root: Expression, variable: string, member: string): boolean {
  const isVariable = (expression: Expression | undefined) =>
    expression?.kind === 'identifier' && expression.name === variable;
  const isMember = (expression: Expression | undefined) =>
    expression?.kind === 'literal' &&
    expression.constant.type === 'string' &&
    expression.constant.value === member;
  const pending: Expression[] = [root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    switch (next.kind) {
      case 'select':
        if (isVariable(next.operand) && next.field === member) return true;
        pending.push(next.operand);
        break;
      case 'call':
        if (next.function === '_?._' && isVariable(next.arguments[0]) && isMember(next.arguments[1]))
          return true;
        pending.push(...next.arguments, ...(next.target === undefined ? [] : [next.target]));
        break;
      case 'list':
        pending.push(...next.elements);
        break;
      case 'map':
        for (const { key, value } of next.entries) pending.push(key, value);
        break;
      case 'message':
        for (const { value } of next.fields) pending.push(value);
        break;
      case 'comprehension':
        pending.push(next.range, next.initial, next.condition, next.step, next.result);
        break;
      default:
    }
  }
  return false;
}
