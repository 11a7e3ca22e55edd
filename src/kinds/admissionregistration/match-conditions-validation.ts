import type { MatchCondition } from '../../model/generated/admissionregistration-v1.ts';
import { qualifiedName } from '../../model/name-syntax.ts';
import { duplicate, type FieldError, required, tooMany } from '../../status/field-error.ts';
import { findDuplicates } from '../validation/duplicates.ts';
import { invalidTexts } from '../validation/fields.ts';
import { type ExpressionChecker, type ExpressionEnvironment, validateExpression } from './expressions.ts';

const MAXIMUM_CONDITIONS = 64;

/** Validates match conditions; names are unique. */
export function validateMatchConditions(
  conditions: readonly MatchCondition[] = [],
  field: string,
  environment: ExpressionEnvironment,
  checker: ExpressionChecker,
): FieldError[] {
  if (conditions.length > MAXIMUM_CONDITIONS) return [tooMany(field, conditions.length, MAXIMUM_CONDITIONS)];
  const repeated = findDuplicates(conditions, ({ name }) => name);
  return conditions.flatMap(({ name = '', expression }, index) => {
    const path = `${field}[${index}]`;
    return [
      ...validateExpression(expression, `${path}.expression`, environment, checker),
      ...(name === '' ? [required(`${path}.name`)] : invalidTexts(`${path}.name`, name, qualifiedName(name))),
      ...(name !== '' && repeated.has(index) ? [duplicate(`${path}.name`, name)] : []),
    ];
  });
}
