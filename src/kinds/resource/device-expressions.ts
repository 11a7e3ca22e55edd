import type { DeviceSelector } from '../../model/generated/resource-v1beta1.ts';
import { type FieldError, internal, invalid, required, tooLong } from '../../status/field-error.ts';
import { conditionEnvironment, type ExpressionChecker } from '../admissionregistration/expressions.ts';

const MAXIMUM_EXPRESSION_LENGTH = 10 * 1024;
const ENVIRONMENT = conditionEnvironment(new Set());

let engine: typeof import('./device-expression-types.ts') | undefined;

/** Compiles device selectors. The CEL engine is loaded with the first object that has selectors. */
export const COMPILING_SELECTORS: ExpressionChecker = {
  async load() {
    engine ??= await import('./device-expression-types.ts');
  },
  check(expression) {
    if (engine === undefined)
      throw new Error('CEL engine is not loaded: await load() before checking expressions');
    return engine.checkDeviceSelector(expression);
  },
};

/** Validates a device selector: an expression that compiles. */
export function validateSelector(
  { cel }: DeviceSelector,
  field: string,
  checker: ExpressionChecker,
): FieldError[] {
  const path = `${field}.cel.expression`;
  if (cel === undefined) return [required(`${field}.cel`)];
  const { expression = '' } = cel;
  if (Buffer.byteLength(expression) > MAXIMUM_EXPRESSION_LENGTH)
    return [tooLong(path, MAXIMUM_EXPRESSION_LENGTH)];
  const problem = checker.check(expression, ENVIRONMENT, path);
  if (problem === undefined) return [];
  return [problem.isInternal ? internal(path, problem.text) : invalid(path, expression, problem.text)];
}
