import type { JSONSchemaProps } from '../../model/generated/apiextensions-v1.ts';
import { type FieldError, forbidden, invalid, invalidFormatted, required } from '../../status/field-error.ts';
import { validateOneOf } from '../validation/fields.ts';
import { formatGoStrings } from '../validation/format-value.ts';

const MAXIMUM_REPORTED_KEYS = 64;

/** Validates `x-kubernetes-list-type` and `x-kubernetes-list-map-keys`. */
export function validateListExtensions(schema: JSONSchemaProps, field: string): FieldError[] {
  const { type, 'x-kubernetes-list-type': listType, 'x-kubernetes-list-map-keys': keys = [] } = schema;
  const typeField = `${field}.x-kubernetes-list-type`;
  const text = 'must be array if x-kubernetes-list-type is specified';
  const errors: FieldError[] = [];
  if (listType !== undefined && type !== 'array')
    errors.push(type ? invalid(`${field}.type`, type, text) : required(`${field}.type`, text));
  if (listType !== undefined) errors.push(...validateOneOf(listType, ['atomic', 'set', 'map'], typeField));
  if (keys.length > 0 && listType !== 'map') {
    const onlyMaps = 'must be map if x-kubernetes-list-map-keys is non-empty';
    errors.push(
      listType === undefined ? required(typeField, onlyMaps) : invalid(typeField, listType, onlyMaps),
    );
  }
  if (listType === 'map') errors.push(...validateMapList(schema, keys, field));
  if (listType === 'set') errors.push(...validateSetList(schema, field));
  return errors;
}

function validateMapList({ items }: JSONSchemaProps, keys: readonly string[], field: string): FieldError[] {
  const keysField = `${field}.x-kubernetes-list-map-keys`;
  const errors: FieldError[] =
    keys.length === 0 ? [required(keysField, 'must not be empty if x-kubernetes-list-type is map')] : [];
  if (items === undefined)
    return [...errors, required(`${field}.items`, 'must have a schema if x-kubernetes-list-type is map')];
  // Another error rejects a list of schemas.
  if (Array.isArray(items)) return errors;
  if (items.nullable)
    errors.push(
      forbidden(`${field}.items.nullable`, 'cannot be nullable when x-kubernetes-list-type is map'),
    );
  const isObject = items.type === 'object';
  if (!isObject)
    errors.push(
      invalid(
        `${field}.items.type`,
        items.type ?? '',
        "must be object if parent array's x-kubernetes-list-type is map",
      ),
    );
  else if (new Set(keys).size < keys.length)
    errors.push(invalidFormatted(keysField, formatGoStrings(keys), 'must not contain duplicate entries'));
  const requiredNames = new Set(items.required);
  // Each error lists all keys: bound the number of errors.
  return [
    ...errors,
    ...keys.slice(0, MAXIMUM_REPORTED_KEYS).flatMap((key) => {
      const property = Object.hasOwn(items.properties ?? {}, key) ? items.properties![key]! : undefined;
      if (property === undefined)
        return isObject
          ? [
              invalidFormatted(
                keysField,
                formatGoStrings(keys),
                'entries must all be names of item properties',
              ),
            ]
          : [];
      const path = `${field}.items.properties[${key}]`;
      return [
        ...(isObject ? validateScalarKey(property, path) : []),
        ...validateGivenKey(property, requiredNames.has(key), path),
      ];
    }),
  ];
}

/** The error shows the type of the items, as in kube-apiserver. */
const validateScalarKey = ({ type }: JSONSchemaProps, path: string): FieldError[] =>
  type === 'array' || type === 'object'
    ? [
        invalid(
          `${path}.type`,
          'object',
          "must be a scalar type if parent array's x-kubernetes-list-type is map",
        ),
      ]
    : [];

const KEY = 'this property is in x-kubernetes-list-map-keys, so it';

const validateGivenKey = (
  { default: value, nullable }: JSONSchemaProps,
  isRequired: boolean,
  path: string,
): FieldError[] => [
  ...(isRequired || value !== undefined
    ? []
    : [required(`${path}.default`, `${KEY} must have a default or be a required property`)]),
  ...(nullable ? [forbidden(`${path}.nullable`, `${KEY} cannot be nullable`)] : []),
];

function validateSetList({ items }: JSONSchemaProps, field: string): FieldError[] {
  if (items === undefined || Array.isArray(items)) return [];
  const { type, nullable, 'x-kubernetes-map-type': mapType, 'x-kubernetes-list-type': listType } = items;
  const atomic = 'as item of a list with x-kubernetes-list-type=set';
  return [
    ...(nullable
      ? [forbidden(`${field}.items.nullable`, 'cannot be nullable when x-kubernetes-list-type is set')]
      : []),
    ...(type === 'array' && listType !== undefined && listType !== 'atomic'
      ? [invalid(`${field}.items.x-kubernetes-list-type`, listType, `must be atomic ${atomic}`)]
      : []),
    ...(type === 'object' && mapType !== 'atomic'
      ? [invalid(`${field}.items.x-kubernetes-map-type`, mapType ?? null, `must be atomic ${atomic}`)]
      : []),
  ];
}
