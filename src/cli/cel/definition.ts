import type { RuleSchema } from '../../cel/index.ts';
import { DecodeError } from '../../codec/decode-error.ts';
import type { TypedDocument } from '../../codec/typed.ts';
import { ConfigurationError } from '../../errors/configuration-error.ts';
import { validateDefinition } from '../../kinds/apiextensions/definition-validation.ts';
import { validateRuleExpressions } from '../../kinds/apiextensions/rule-expressions.ts';
import { ruleSchemaOf } from '../../kinds/apiextensions/rule-schema.ts';
import { factsOf } from '../../kinds/apiextensions/schema-facts.ts';
import type { CustomResourceDefinition } from '../../model/generated/apiextensions-v1.ts';
import { membersOf } from '../../model/json-object.ts';
import { getMember } from '../../model/object.ts';
import { schemeOf } from '../../model/scheme.ts';
import { builtinSchema } from '../../resources/object-schema.ts';
import type { FieldError } from '../../status/field-error.ts';

/** @throws DecodeError when the document is not a definition */
const decodeDefinition = (plain: unknown): TypedDocument =>
  builtinSchema(schemeOf().types, 'apiextensions.k8s.io', 'v1', 'CustomResourceDefinition')!.fromPlain(plain);
const definitionOf = (plain: unknown): CustomResourceDefinition =>
  decodeDefinition(plain).value as CustomResourceDefinition;

/** A definition of a namespaced kind whose only version has the schema. */
const definitionWith = (schema: unknown): CustomResourceDefinition => definitionOf(documentWith(schema));

const documentWith = (schema: unknown): unknown => ({
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
  if (factsOf(schema).isTooDeep) throw new ConfigurationError('the schema is nested too deeply');
  return ruleSchemaOf(schema);
}

/**
 * Rejects a manifest or another document that is not a schema: its members would be ignored, and a schema without
 * rules holds for every object.
 * @throws ConfigurationError
 */
function refuseOthers(document: unknown, file: string): void {
  const kind = member(document, 'kind');
  const problem = typeof kind === 'string' ? `it is a ${kind}` : schemaProblem(document);
  if (problem !== undefined)
    throw new ConfigurationError(
      `--schema takes a CustomResourceDefinition or a schema, and ${file} is neither: ${problem}`,
    );
}

/** Returns why a document is not a schema; undefined if it is one. */
function schemaProblem(document: unknown): string | undefined {
  try {
    const [unknown] = decodeDefinition(documentWith(document)).unknown;
    return unknown && `it has the member ${unknown.slice(SCHEMA_PATH.length + 1)}`;
  } catch (error) {
    if (error instanceof DecodeError) return 'its members have other types';
    throw error;
  }
}

const SCHEMA_PATH = 'spec.versions[0].schema.openAPIV3Schema';

const member = (object: unknown, name: string): unknown => getMember(membersOf(object), name);

/**
 * The schema in a document: a CustomResourceDefinition's for the version of an object (or the stored one), or
 * the document itself.
 * @param file for errors
 * @throws ConfigurationError when the document has no schema, or is something else
 */
export function schemaIn(document: unknown, object: unknown, file: string): RuleSchema {
  if (member(document, 'kind') !== 'CustomResourceDefinition') {
    refuseOthers(document, file);
    return schemaOf(document);
  }
  const apiVersion = String(member(object, 'apiVersion') ?? '');
  const schema = schemaOfVersion(definitionOf(document), apiVersion.slice(apiVersion.indexOf('/') + 1));
  if (schema === undefined) throw new ConfigurationError(`the definition in ${file} has no schema`);
  return schema;
}
