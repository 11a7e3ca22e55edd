import type { KubernetesObject } from '../../../model/object.ts';
import { type FieldError, firstErrors } from '../../../status/field-error.ts';
import type { Strategy } from '../../strategy.ts';
import { AsyncChecks, type PendingCheck } from '../../validation/async-checks.ts';
import type { ExpressionChecker, ExpressionProblem } from './expressions.ts';

/** Compilation cost of an expression beyond its length, in characters. */
const PER_EXPRESSION = 64;

type Validate<Kind> = (object: Kind, old: Kind | undefined, checker: ExpressionChecker) => FieldError[];

/**
 * Creates the validation functions of a kind with expressions. Many expressions are compiled in steps that
 * yield to the event loop.
 */
export function checkExpressionsAsync<Kind extends KubernetesObject>(
  validate: Validate<Kind>,
  checker: ExpressionChecker,
): Required<Pick<Strategy, 'load' | 'validateAsync' | 'validate' | 'validateUpdate'>> {
  const asyncChecks = new AsyncChecks<ExpressionProblem | undefined>();
  const checkerFor = (object: Kind): ExpressionChecker => {
    const resultOf = asyncChecks.results(object);
    return {
      check: (expression, environment) => resultOf(expression, () => checker.check(expression, environment)),
    };
  };
  return {
    load: async () => checker.load?.(),
    async validateAsync(object, old, _subresource, turns) {
      const checks: PendingCheck<ExpressionProblem | undefined>[] = [];
      const collecting: ExpressionChecker = {
        check(expression, environment) {
          const size = expression.length + PER_EXPRESSION;
          checks.push({
            key: expression,
            size,
            *run() {
              const problem = checker.check(expression, environment);
              yield size;
              return problem;
            },
          });
          return undefined;
        },
      };
      firstErrors(() => validate(object as Kind, old as Kind | undefined, collecting));
      await asyncChecks.run(turns, object, checks);
    },
    validate: (object) => validate(object as Kind, undefined, checkerFor(object as Kind)),
    validateUpdate: (object, old) => validate(object as Kind, old as Kind, checkerFor(object as Kind)),
  };
}
