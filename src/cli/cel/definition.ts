import type { RuleSchema } from '../../cel/index.ts';
import { ConfigurationError } from '../../errors/configuration-error.ts';
import type { CustomResourceDefinition } from '../../model/generated/apiextensions-v1.ts';
import { validateDefinition } from '../../registry/builtin/apiextensions/definition-validation.ts';
import { validateRuleExpressions } from '../../registry/builtin/apiextensions/rule-expressions.ts';
import { ruleSchemaOf } from '../../registry/builtin/apiextensions/rule-schema.ts';
import { isTooDeep } from '../../registry/builtin/apiextensions/schema-walk.ts';
import { builtinSchema } from '../../registry/object-schema.ts';
import type { FieldError } from '../../status/field-error.ts';

/** @throws DecodeError when the document is not a definition */
const definitionOf = (plain: unknown): CustomResourceDefinition =>
  builtinSchema('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition')!.fromPlain(plain)
    .value as CustomResourceDefinition;

/** A definition of a namespaced kind whose only version has the schema. */
const definitionWith = (schema: unknown): CustomResourceDefinition =>
  definitionOf({
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      conversion: { strategy: 'None' },
    },
    status: { storedVersions: ['v1'] },
  });

/**
 * The errors that a server would return for a new definition with a schema.
 * @throws DecodeError when the document is not a schema
 */
export const definitionErrors = (schema: unknown): FieldError[] =>
  validateDefinition(definitionWith(schema), { rules: validateRuleExpressions, defaults: () => [] });

/** A schema as rules use it. @throws DecodeError when the document is not a schema */
export function schemaOf(plain: unknown): RuleSchema {
  return schemaOfVersion(definitionWith(plain), 'v1')!;
}

function schemaOfVersion(
  { spec = {} }: CustomResourceDefinition,
  name: string | undefined,
): RuleSchema | undefined {
  const { versions = [] } = spec;
  const version =
    versions.find((one) => one.name === name) ??
    versions.find(({ storage }) => storage === true) ??
    versions[0];
  const schema = version?.schema?.openAPIV3Schema;
  if (schema === undefined) return undefined;
  if (isTooDeep(schema)) throw new ConfigurationError('the schema is nested too deeply');
  return ruleSchemaOf(schema);
}

const member = (object: unknown, name: string): unknown =>
  typeof object === 'object' && object !== null && Object.hasOwn(object, name)
    ? (object as Readonly<Record<string, unknown>>)[name]
    : undefined;

/**
 * The schema in a document: a CustomResourceDefinition's for the version of an object (or the stored one), or
 * the document itself.
 * @throws ConfigurationError when the document has no schema
 * @throws DecodeError when it is not a schema
 */
export function schemaIn(document: unknown, object: unknown): RuleSchema {
  if (member(document, 'kind') !== 'CustomResourceDefinition') return schemaOf(document);
  const apiVersion = String(member(object, 'apiVersion') ?? '');
  const schema = schemaOfVersion(definitionOf(document), apiVersion.slice(apiVersion.indexOf('/') + 1));
  if (schema === undefined) throw new ConfigurationError('the definition has no schema');
  return schema;
}
