import type { JSONSchemaProps } from '../../model/generated/apiextensions-v1.ts';
import { type FieldError, required } from '../../status/field-error.ts';
import { checkEach, spend } from '../../steps/replay.ts';
import { checkProperties, elementOf, JUNCTORS } from './schema-walk.ts';

/** Cost of validating one schema, in microseconds. */
const COST = 2;

/**
 * Validates that properties and items in the junctors of a schema are also declared outside of them.
 * kube-apiserver checks the junctors at the root of a schema, with all that is below them, and no others.
 * @param declared the schema outside the junctors, at `field`
 * @param path where the junctors are
 */
export function validateCompleteness(
  schema: JSONSchemaProps,
  declared: JSONSchemaProps,
  field: string,
  path: string,
): FieldError[] {
  return [
    ...JUNCTORS.flatMap((junctor) =>
      checkEach(schema[junctor] ?? [], { place: 'completeness', cost: 0 }, (child, index) =>
        validateDeclared(child, declared, field, `${path}.${junctor}[${index}]`),
      ),
    ),
    ...(schema.not === undefined ? [] : validateDeclared(schema.not, declared, field, `${path}.not`)),
  ];
}

function validateDeclared(
  schema: JSONSchemaProps,
  declared: JSONSchemaProps | undefined,
  field: string,
  path: string,
): FieldError[] {
  spend(COST);
  if (declared === undefined) return [required(field, `because it is defined in ${path}`)];
  const { properties = {} } = declared;
  const element = elementOf(schema);
  return [
    ...validateCompleteness(schema, declared, field, path),
    ...(element === undefined
      ? []
      : validateDeclared(element, elementOf(declared), `${field}.items`, `${path}.items`)),
    ...checkProperties(schema, 'completeness', (property, name) =>
      validateDeclared(
        property,
        Object.hasOwn(properties, name) ? properties[name] : undefined,
        `${field}.properties[${name}]`,
        `${path}.properties[${name}]`,
      ),
    ),
  ];
}
