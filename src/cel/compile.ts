import type { CheckedExpression, Declarations } from './checked.ts';
import { check } from './checker/checker.ts';
import { parse } from './parse.ts';
import { validate } from './validators/validate.ts';

/**
 * Parses and type-checks an expression, and validates its literals.
 * @throws CompileError its message is the text that clients see
 */
export function compile(text: string, declarations: Declarations): CheckedExpression {
  const checked = check(parse(text, declarations), declarations);
  validate(checked);
  return checked;
}
