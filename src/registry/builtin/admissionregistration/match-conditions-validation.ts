import type { MatchCondition } from '../../../model/generated/admissionregistration-v1.ts';
import { duplicate, type FieldError, required, tooMany } from '../../../status/field-error.ts';
import { invalidTexts } from '../../validation/fields.ts';
import { qualifiedName } from '../../validation/names.ts';
import { type ExpressionChecker, type ExpressionEnvironment, validateExpression } from './expressions.ts';

const MOST_CONDITIONS = 64;

/** Named expressions, each name once. */
export function validateMatchConditions(
  conditions: readonly MatchCondition[] = [],
  field: string,
  environment: ExpressionEnvironment,
  checker: ExpressionChecker,
): FieldError[] {
  if (conditions.length > MOST_CONDITIONS) return [tooMany(field, conditions.length, MOST_CONDITIONS)];
  return conditions.flatMap(({ name = '', expression }, index) => {
    const path = `${field}[${index}]`;
    const repeated = name !== '' && conditions.slice(0, index).some((earlier) => earlier.name === name);
    return [
      ...validateExpression(expression, `${path}.expression`, environment, checker),
      ...(name === '' ? [required(`${path}.name`)] : invalidTexts(`${path}.name`, name, qualifiedName(name))),
      ...(repeated ? [duplicate(`${path}.name`, name)] : []),
    ];
  });
}
