import type {
  AuditAnnotation,
  Validation,
  Variable,
} from '../../model/generated/admissionregistration-v1.ts';
import { qualifiedName } from '../../model/name-syntax.ts';
import { duplicate, type FieldError, invalid, required } from '../../status/field-error.ts';
import { checkEach, once } from '../../steps/replay.ts';
import { findDuplicates } from '../validation/duplicates.ts';
import { invalidTexts, validateOneOf } from '../validation/fields.ts';
import {
  type ExpressionChecker,
  type ExpressionEnvironment,
  isExpressionIdentifier,
  trimming,
  validateExpression,
} from './expressions.ts';
import type { StoredExpressions } from './stored-expressions.ts';

const UNSPECIFIED = 'expression is not specified';
const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const MAXIMUM_ANNOTATION_EXPRESSION_LENGTH = 5 * 1024;
const MAXIMUM_ANNOTATIONS = 20;

/** The variables of a policy: the same list in all runs of a validation, which has their types. */
export const variablesOf = (variables: readonly Variable[] = []): { name: string; expression: string }[] =>
  once(variables, { place: 'variables', cost: variables.length }, () =>
    variables.map(({ name = '', expression = '' }) => ({ name, expression })),
  );

/** Validates variables; each can refer to the previous ones. @param policy contains the variables */
export function validateVariables(
  field: string,
  policy: ExpressionEnvironment,
  checker: ExpressionChecker,
): FieldError[] {
  return checkEach(policy.variables, { place: 'variables' }, ({ name, expression }, index) => {
    const path = `${field}[${index}]`;
    const environment: ExpressionEnvironment = { ...policy, visibleVariables: index, results: [] };
    return [
      ...(name.trim() === '' ? [required(`${path}.name`, 'name is not specified')] : []),
      ...(name.trim() === '' || isExpressionIdentifier(name)
        ? []
        : [invalid(`${path}.name`, name, 'name is not a valid CEL identifier')]),
      ...validateExpression(expression, `${path}.expression`, environment, checker, UNSPECIFIED),
    ];
  });
}

export function validateValidation(
  { expression, message = '', messageExpression = '', reason }: Validation,
  field: string,
  environment: ExpressionEnvironment,
  { validations, messages }: StoredExpressions,
  checker: ExpressionChecker,
): FieldError[] {
  return [
    ...validateExpression(
      expression,
      `${field}.expression`,
      { ...environment, results: ['bool'], stored: validations },
      checker,
      UNSPECIFIED,
    ),
    ...validateMessageExpression(
      messageExpression,
      `${field}.messageExpression`,
      { ...environment, stored: messages },
      checker,
    ),
    ...validateMessage(message, `${field}.message`),
    ...(reason === undefined ? [] : validateOneOf(reason, REASONS, `${field}.reason`)),
  ];
}

function validateMessageExpression(
  expression: string,
  field: string,
  environment: ExpressionEnvironment,
  checker: ExpressionChecker,
): FieldError[] {
  if (expression === '') return [];
  if (expression.trim() === '') return [invalid(field, expression, 'must be non-empty if specified')];
  return validateExpression(
    expression,
    field,
    { ...environment, hasAuthorizer: false, results: ['string'] },
    checker,
  );
}

/** Validates that a message has one line. */
function validateMessage(message: string, field: string): FieldError[] {
  const trimmed = message.trim();
  if (message !== '' && trimmed === '')
    return [invalid(field, message, 'message must be non-empty if specified')];
  return /[\r\n]/.test(trimmed) ? [invalid(field, message, 'message must not contain line breaks')] : [];
}

/** @param name name of the policy, which is part of every annotation key */
export function validateAuditAnnotations(
  annotations: readonly AuditAnnotation[],
  field: string,
  name: string,
  environment: ExpressionEnvironment,
  checker: ExpressionChecker,
): FieldError[] {
  if (annotations.length > MAXIMUM_ANNOTATIONS)
    return [invalid(field, annotations, `must not have more than ${MAXIMUM_ANNOTATIONS} auditAnnotations`)];
  const repeated = findDuplicates(annotations, ({ key = '' }) => key);
  return annotations.flatMap(({ key = '', valueExpression = '' }, index) => {
    const path = `${field}[${index}]`;
    const fullKey = `${name}/${key}`;
    const keyErrors =
      name === ''
        ? [invalid(`${path}.key`, key, 'requires metadata.name be non-empty')]
        : invalidTexts(`${path}.key`, fullKey, qualifiedName(fullKey));
    const value = `${path}.valueExpression`;
    const valueErrors =
      Buffer.byteLength(valueExpression.trim()) > MAXIMUM_ANNOTATION_EXPRESSION_LENGTH
        ? [required(value, `must not exceed ${MAXIMUM_ANNOTATION_EXPRESSION_LENGTH} bytes in length`)]
        : validateExpression(
            valueExpression,
            value,
            { ...environment, results: ['string', 'null_type'] },
            trimming(checker),
            'valueExpression is not specified',
          );
    return [...keyErrors, ...valueErrors, ...(repeated.has(index) ? [duplicate(`${path}.key`, key)] : [])];
  });
}
