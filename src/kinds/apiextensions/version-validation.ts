import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
  JSONSchemaProps,
  SelectableField,
} from '../../model/generated/apiextensions-v1.ts';
import { duplicate, type FieldError, invalid, required, tooMany } from '../../status/field-error.ts';
import { resolveFieldPath } from './field-path.ts';

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];
const MAXIMUM_WARNING_LENGTH = 256;
const MAXIMUM_SELECTABLE_FIELDS = 8;

export function validateColumn(
  { name, type, format, jsonPath }: CustomResourceColumnDefinition,
  field: string,
): FieldError[] {
  const types = `must be one of ${COLUMN_TYPES.join(',')}`;
  return [
    ...(name ? [] : [required(`${field}.name`)]),
    ...(type
      ? COLUMN_TYPES.includes(type)
        ? []
        : [invalid(`${field}.type`, type, types)]
      : [required(`${field}.type`, types)]),
    ...(format && !COLUMN_FORMATS.includes(format)
      ? [invalid(`${field}.format`, format, `must be one of ${COLUMN_FORMATS.join(',')}`)]
      : []),
    ...(jsonPath ? validateSimplePath(jsonPath, `${field}.JSONPath`) : [required(`${field}.JSONPath`)]),
  ];
}

const validateSimplePath = (path: string, field: string): FieldError[] =>
  path.startsWith('.') ? [] : [invalid(field, path, 'must be a simple json path starting with .')];

export function validateSubresources(
  { scale }: CustomResourceSubresources = {},
  field: string,
): FieldError[] {
  if (scale === undefined) return [];
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  return [
    ...(specReplicasPath
      ? validatePathUnder(specReplicasPath, ['.spec.'], 'under .spec', `${field}.scale.specReplicasPath`)
      : [required(`${field}.scale.specReplicasPath`)]),
    ...(statusReplicasPath
      ? validatePathUnder(
          statusReplicasPath,
          ['.status.'],
          'under .status',
          `${field}.scale.statusReplicasPath`,
        )
      : [required(`${field}.scale.statusReplicasPath`)]),
    ...(labelSelectorPath
      ? validatePathUnder(
          labelSelectorPath,
          ['.spec.', '.status.'],
          'under either .spec or .status',
          `${field}.scale.labelSelectorPath`,
        )
      : []),
  ];
}

function validatePathUnder(
  path: string,
  roots: readonly string[],
  where: string,
  field: string,
): FieldError[] {
  const errors = validateSimplePath(path, field);
  return errors.length > 0 || roots.some((root) => path.startsWith(root))
    ? errors
    : [invalid(field, path, `should be a json path ${where}`)];
}

const SELECTABLE_TYPES = ['string', 'boolean', 'integer'];
const SELECTABLE_TEXT =
  'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';

/**
 * Validates selectable fields: unique paths to scalars outside the metadata.
 * @param schema the schema at the level of the fields: of the version, or the one that all versions share
 * @param withoutSchema the message if there is no such schema
 */
export function validateSelectableFields(
  fields: readonly SelectableField[] = [],
  schema: JSONSchemaProps | undefined,
  field: string,
  withoutSchema: string,
): FieldError[] {
  if (fields.length === 0) return [];
  if (schema === undefined) return [invalid(field, '', withoutSchema)];
  const seen = new Set<string>();
  const errors = fields.flatMap(({ jsonPath = '' }, index) => {
    const path = `${field}[${index}].jsonPath`;
    if (jsonPath === '') return [required(path)];
    const found = resolveFieldPath(jsonPath, schema, { brackets: false });
    if (typeof found === 'string') return [invalid(path, jsonPath, `is an invalid path: ${found}`)];
    const repeated = seen.has(found.text);
    seen.add(found.text);
    return [
      ...(/^\.metadata(\.|$)/.test(found.text)
        ? [invalid(path, jsonPath, 'must not point to fields in metadata')]
        : []),
      ...(SELECTABLE_TYPES.includes(found.schema.type ?? '')
        ? []
        : [invalid(path, jsonPath, SELECTABLE_TEXT)]),
      ...(repeated ? [duplicate(path, found.text)] : []),
    ];
  });
  return seen.size > MAXIMUM_SELECTABLE_FIELDS
    ? [...errors, tooMany(field, seen.size, MAXIMUM_SELECTABLE_FIELDS)]
    : errors;
}

/** Validates a deprecation warning: one printable line, for deprecated versions only. */
export function validateDeprecation(
  { deprecated = false, deprecationWarning: warning }: CustomResourceDefinitionVersion,
  field: string,
): FieldError[] {
  if (warning === undefined) return [];
  const path = `${field}.deprecationWarning`;
  if (!deprecated) return [invalid(path, warning, 'can only be set for deprecated versions')];
  const texts = [
    ...(Buffer.byteLength(warning) > MAXIMUM_WARNING_LENGTH
      ? [`must be <= ${MAXIMUM_WARNING_LENGTH} characters long`]
      : []),
    ...(warning === '' ? ['must not be an empty string'] : []),
  ];
  const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(warning);
  if (unprintable !== null) {
    const position = Buffer.byteLength(warning.slice(0, unprintable.index));
    texts.push(
      `must only contain printable UTF-8 characters; non-printable character found at index ${position}`,
    );
  }
  return texts.map((text) => invalid(path, warning, text));
}
