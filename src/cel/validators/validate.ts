import type { CheckedExpression } from '../checked.ts';
import { compileErrorOf, type Finding } from '../errors.ts';
import type { Expression } from '../syntax.ts';
import { mixedElements } from './aggregates.ts';
import { invalidArgument } from './arguments.ts';
import { formatFindings } from './format-string.ts';
import { childrenOf } from './walk.ts';

/**
 * Literals in the arguments of these functions can have mixed types: their elements are formatted one by one.
 */
const MIXING_FUNCTIONS = new Set(['format']);

/**
 * Validates the literals of a checked expression.
 * @throws CompileError with all findings
 */
export function validate(checked: CheckedExpression): void {
  const findings: Finding[] = [];
  visit(checked, checked.root, false, findings);
  if (findings.length > 0) throw compileErrorOf(checked, findings);
}

function visit(
  checked: CheckedExpression,
  expression: Expression,
  mayMix: boolean,
  findings: Finding[],
): void {
  if (expression.kind === 'call')
    findings.push(...invalidArgument(expression), ...formatFindings(checked, expression));
  else if (!mayMix) findings.push(...mixedElements(checked, expression));
  const inside = mayMix || (expression.kind === 'call' && MIXING_FUNCTIONS.has(expression.function));
  for (const child of childrenOf(expression)) visit(checked, child, inside, findings);
}
