import type { JSONSchemaProps, ValidationRule } from '../../model/generated/apiextensions-v1.ts';
import { type FieldError, invalid, required } from '../../status/field-error.ts';
import { checkEach, spend } from '../../steps/replay.ts';
import { validateOneOf } from '../validation/fields.ts';
import { resolveFieldPath } from './field-path.ts';

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const hasLineBreak = (text: string): boolean => /[\r\n]/.test(text);

/** Validates `x-kubernetes-validations`, except its expressions. */
export const validateRules = (schema: JSONSchemaProps, field: string): FieldError[] =>
  checkEach(schema['x-kubernetes-validations'] ?? [], { place: 'texts', cost: COST }, (rule, index) => {
    spend((rule.fieldPath ?? '').length / CHARACTERS_PER_MICROSECOND);
    return validateRule(rule, schema, `${field}.x-kubernetes-validations[${index}]`);
  });

/** Cost of validating the texts of a rule, in microseconds. */
const COST = 2;
/** Characters of a field path that are resolved in a microsecond. */
const CHARACTERS_PER_MICROSECOND = 8;

function validateRule(rule: ValidationRule, schema: JSONSchemaProps, field: string): FieldError[] {
  const { messageExpression = '', reason, fieldPath = '' } = rule;
  const path = `${field}.fieldPath`;
  return [
    ...validateText(rule, field),
    ...(messageExpression !== '' && messageExpression.trim() === ''
      ? [required(`${field}.messageExpression`, 'messageExpression must be non-empty if specified')]
      : []),
    ...(reason === undefined ? [] : validateOneOf(reason, REASONS, `${field}.reason`)),
    ...(fieldPath !== '' && fieldPath.trim() === ''
      ? [invalid(path, fieldPath, 'fieldPath must be non-empty if specified')]
      : []),
    ...(hasLineBreak(fieldPath) ? [invalid(path, fieldPath, 'fieldPath must not contain line breaks')] : []),
    ...(fieldPath !== '' && typeof resolveFieldPath(fieldPath, schema) === 'string'
      ? [invalid(path, fieldPath, 'fieldPath must be a valid path')]
      : []),
  ];
}

/**
 * Validates a rule and its message: a message has one line, and a rule of several lines requires a message.
 */
function validateText({ rule = '', message = '' }: ValidationRule, field: string): FieldError[] {
  const trimmed = message.trim();
  if (rule.trim() === '') return [required(`${field}.rule`, 'rule is not specified')];
  if (message !== '' && trimmed === '')
    return [invalid(`${field}.message`, message, 'message must be non-empty if specified')];
  if (hasLineBreak(trimmed))
    return [invalid(`${field}.message`, message, 'message must not contain line breaks')];
  return hasLineBreak(rule.trim()) && trimmed === ''
    ? [required(`${field}.message`, 'message must be specified if rule contains line breaks')]
    : [];
}
