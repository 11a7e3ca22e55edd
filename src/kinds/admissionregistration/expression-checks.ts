import type { KubernetesObject } from '../../model/object.ts';
import type { FieldError } from '../../status/field-error.ts';
import { once } from '../../steps/replay.ts';
import type { Strategy, StrategyContext } from '../strategy.ts';
import { compatibilityOf } from '../validation/expression-compatibility.ts';
import type { ExpressionChecker } from './expressions.ts';

/** Cost of compiling an expression beyond its length, in microseconds. */
const PER_EXPRESSION = 64;

type Validate<Kind> = (
  object: Kind,
  old: Kind | undefined,
  checker: ExpressionChecker,
  context: StrategyContext,
) => FieldError[];

/**
 * Creates the validation functions of a kind with expressions. Validation can pause before each expression; it
 * compiles each of an object once.
 */
export function checkExpressions<Kind extends KubernetesObject>(
  validate: Validate<Kind>,
  checker: ExpressionChecker,
): Required<Pick<Strategy, 'load' | 'validate' | 'validateUpdate'>> {
  const checkerFor = (object: Kind, context: StrategyContext): ExpressionChecker => ({
    check: (expression, environment, field) =>
      once(object, { place: field, cost: PER_EXPRESSION + expression.length }, () =>
        checker.check(expression, { ...environment, compatibility: compatibilityOf(context) }, field),
      ),
  });
  return {
    load: async () => checker.load?.(),
    validate: (object, context) =>
      validate(object as Kind, undefined, checkerFor(object as Kind, context), context),
    validateUpdate: (object, old, context) =>
      validate(object as Kind, old as Kind, checkerFor(object as Kind, context), context),
  };
}
