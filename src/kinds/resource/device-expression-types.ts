import {
  CompileError,
  checkSyntax,
  compile,
  DEVICE_SELECTOR,
  declarationsOf,
  declaredTypeName,
  ProgramError,
  plan,
} from '../../cel/index.ts';
import type { ExpressionProblem } from '../admissionregistration/expressions.ts';

/**
 * Functions of device selectors that the CEL engine does not support; of expressions that use them only the
 * syntax is checked.
 */
const FOREIGN_FUNCTIONS = ['semver(', 'isSemver(', 'cel.bind('];

/** Checks a device selector; undefined when it is valid. */
export function checkDeviceSelector(expression: string): ExpressionProblem | undefined {
  try {
    if (FOREIGN_FUNCTIONS.some((name) => expression.includes(name))) {
      checkSyntax(expression);
      return undefined;
    }
    const checked = compile(expression, declarationsOf('new', DEVICE_SELECTOR));
    const { kind } = checked.type;
    if (kind !== 'bool' && kind !== 'any') {
      return { text: `must evaluate to bool or the unknown type, not ${declaredTypeName(checked.type)}` };
    }
    plan(checked);
    return undefined;
  } catch (error) {
    if (error instanceof CompileError) return { text: `compilation failed: ${error.message}` };
    if (error instanceof ProgramError)
      return { text: `program instantiation failed: ${error.message}`, isInternal: true };
    throw error;
  }
}
