import type { JSONSchemaProps } from '../../model/generated/apiextensions-v1.ts';
import { type FieldError, invalid, invalidFormatted } from '../../status/field-error.ts';

/** Keywords that are allowed at the root of a schema with a status subresource. */
const ALLOWED = new Set([
  'description',
  'example',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'externalDocs',
  'format',
  'items',
  'maxItems',
  'maxLength',
  'maximum',
  'minItems',
  'minLength',
  'minimum',
  'multipleOf',
  'pattern',
  'properties',
  'required',
  'title',
  'uniqueItems',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
]);

const ONLY =
  'only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations] fields are allowed at the root of the schema if the status subresource is enabled';

/** Keywords that come before the type in kube-apiserver's schema: the first error ends the check. */
const BEFORE_TYPE = ['id', '$schema', '$ref'] as const;

/**
 * Validates the root of a schema with a status subresource: an object, with only the keywords that are
 * allowed at the root of such a schema.
 */
export function validateRootWithStatus(schema: JSONSchemaProps, field: string): FieldError[] {
  // The empty text and false are the same as an absent keyword.
  const misplaced = Object.entries(schema)
    .filter(([keyword, value]) => keyword !== 'type' && !ALLOWED.has(keyword) && isGiven(keyword, value))
    .map(([keyword]) => keyword);
  const only = invalidFormatted(field, '<value omitted>', ONLY);
  if (BEFORE_TYPE.some((keyword) => misplaced.includes(keyword))) return [only];
  const { type = '' } = schema;
  if (type !== '' && type !== 'object')
    return [
      invalid(
        `${field}.type`,
        type,
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
      ),
    ];
  return misplaced.length === 0 ? [] : [only];
}

/** Keywords that are pointers in kube-apiserver: false and the empty text are values of them. */
const POINTERS = new Set(['$ref', 'x-kubernetes-list-type', 'x-kubernetes-map-type', 'additionalProperties']);

const isGiven = (keyword: string, value: unknown): boolean =>
  value !== undefined && value !== null && (POINTERS.has(keyword) || (value !== '' && value !== false));
