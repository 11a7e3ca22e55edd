import { isIntOrString } from '../../kinds/apiextensions/structural-validation.ts';
import type { ResourceRow } from '../../kinds/resource-row.ts';
import type {
  CustomResourceDefinitionVersion,
  JSONSchemaProps,
} from '../../model/generated/apiextensions-v1.ts';
import type { Life } from '../../model/life.ts';
import { plainValue, setMember } from '../../model/object.ts';
import type { RuleContext } from '../../model/rule-context.ts';
import { schemeOf } from '../../model/scheme.ts';
import type { CustomKind } from '../../openapi/custom-kind.ts';
import type { Dialect, Schema } from '../../openapi/document.ts';
import { hashOf } from './schema-hash.ts';

/** Schemas below this depth are published as ones that keep unknown fields. */
const MAXIMUM_DEPTH = 500;

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.';
const MORE = 'More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';
/** The texts are those that clients show (`kubectl explain`). */
const API_VERSION = `APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. ${MORE}#resources`;
const KIND = `Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. ${MORE}#types-kinds`;
const METADATA = `Standard object's metadata. ${MORE}#metadata`;
const EMBEDDED_API_VERSION = `apiVersion defines the versioned schema of this representation of an object. ${MORE}#resources`;
const EMBEDDED_KIND = `kind is a string value representing the type of this object. In CamelCase. ${MORE}#types-kinds`;
const LIST_METADATA = `Standard list metadata. ${MORE}#types-kinds`;

/** The releases that publish an empty list of selectable fields. */
const SHOWS_NO_SELECTABLE_FIELDS: Life = { until: '1.33' };
/** The releases that publish examples and links to documentation. */
const SHOWS_EXAMPLES: Life = { since: '1.36' };

/** Keywords that both dialects publish as they are. */
const KEPT = [
  'title',
  'description',
  'format',
  'maximum',
  'minimum',
  'multipleOf',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'maxProperties',
  'minProperties',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
] as const;
/** Flags that are published when they are true. */
const FLAGS = [
  'exclusiveMaximum',
  'exclusiveMinimum',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
] as const;

/**
 * Returns the published schemas of a custom kind and its list. Nothing is computed before it is asked for.
 */
export function customKindOf(
  row: ResourceRow,
  version: CustomResourceDefinitionVersion,
  has: RuleContext['has'] = schemeOf().has,
): CustomKind {
  const { group, kind, listKind } = row;
  const prefix = `${group.split('.').reverse().join('.')}.${row.version}.`;
  let hash: string | undefined;
  return {
    name: prefix + kind,
    listName: prefix + listKind,
    get hash() {
      hash ??= hashOf([version.schema ?? null, version.selectableFields ?? null]);
      return hash;
    },
    schemas: (dialect) => ({
      [prefix + kind]: kindSchema(row, version, dialect, has),
      [prefix + listKind]: listSchema(row, version, prefix + kind, dialect, has),
    }),
  };
}

function kindSchema(
  row: ResourceRow,
  version: CustomResourceDefinitionVersion,
  dialect: Dialect,
  has: RuleContext['has'],
): Schema {
  const schema = version.schema?.openAPIV3Schema;
  const own = extensionsOf(row, row.kind, version, has);
  if (schema === undefined || (dialect === 'v2' && schema['x-kubernetes-preserve-unknown-fields'] === true))
    return { type: 'object', ...own };
  const published = new Publisher(dialect, has(SHOWS_EXAMPLES)).schemaOf(schema, 0);
  return {
    ...published,
    properties: {
      ...(published['properties'] as object | undefined),
      ...typeMeta(API_VERSION, KIND),
      metadata: referenceTo('ObjectMeta', METADATA, dialect),
    },
    ...own,
  };
}

function listSchema(
  row: ResourceRow,
  version: CustomResourceDefinitionVersion,
  item: string,
  dialect: Dialect,
  has: RuleContext['has'],
): Schema {
  return {
    description: `${row.listKind} is a list of ${row.kind}`,
    type: 'object',
    required: ['items'],
    properties: {
      ...typeMeta(API_VERSION, KIND),
      items: {
        description: `List of ${row.resource}. ${MORE}`,
        type: 'array',
        items: { $ref: prefixOf(dialect) + item },
      },
      metadata: referenceTo('ListMeta', LIST_METADATA, dialect),
    },
    ...extensionsOf(row, row.listKind, version, has),
  };
}

function extensionsOf(
  { group, version }: ResourceRow,
  kind: string,
  { selectableFields = [] }: CustomResourceDefinitionVersion,
  has: RuleContext['has'],
): Schema {
  const isShown = selectableFields.length > 0 || has(SHOWS_NO_SELECTABLE_FIELDS);
  return {
    'x-kubernetes-group-version-kind': [{ group, kind, version }],
    ...(isShown && {
      'x-kubernetes-selectable-fields': selectableFields.map(({ jsonPath = '' }) => ({
        fieldPath: jsonPath.replace(/^\./, ''),
      })),
    }),
  };
}

const prefixOf = (dialect: Dialect): string =>
  dialect === 'v3' ? '#/components/schemas/' : '#/definitions/';

function referenceTo(name: string, description: string, dialect: Dialect): Schema {
  const reference = { $ref: prefixOf(dialect) + META + name };
  return dialect === 'v3' ? { description, allOf: [reference] } : { description, ...reference };
}

const typeMeta = (apiVersion: string, kind: string): Schema => ({
  apiVersion: { description: apiVersion, type: 'string' },
  kind: { description: kind, type: 'string' },
});

/** Publishes the structural form of a schema: what it drops plays no part in validation. */
class Publisher {
  readonly #dialect: Dialect;
  readonly #showsExamples: boolean;

  constructor(dialect: Dialect, showsExamples: boolean) {
    this.#dialect = dialect;
    this.#showsExamples = showsExamples;
  }

  schemaOf(schema: JSONSchemaProps, depth: number): Schema {
    if (depth > MAXIMUM_DEPTH) return { 'x-kubernetes-preserve-unknown-fields': true };
    return this.#dialect === 'v3' ? this.#v3(schema, depth) : this.#v2(schema, depth);
  }

  #v3(schema: JSONSchemaProps, depth: number): Schema {
    const { type, items, nullable, oneOf, not } = schema;
    const { allOf, anyOf } = unfolded(schema);
    const embedded = schema['x-kubernetes-embedded-resource'] === true;
    const below = (one: JSONSchemaProps) => this.schemaOf(one, depth + 1);
    // A definition has very many schemas with few keywords: only these cost something.
    const published = this.#keywordsOf(schema);
    if (type) published['type'] = type;
    if (nullable === true) published['nullable'] = true;
    if (schema.default !== undefined) published['default'] = plainValue(schema.default);
    if (items !== undefined && !Array.isArray(items)) published['items'] = below(items);
    this.#addProperties(published, schema, embedded, depth);
    this.#addAdditional(published, schema, depth);
    addRequired(published, schema.required, embedded);
    addList(published, 'allOf', allOf?.map(below));
    addList(published, 'oneOf', oneOf?.map(below));
    addList(published, 'anyOf', anyOf?.map(below));
    if (not !== undefined) published['not'] = below(not);
    return published;
  }

  /** Omits the type of nullable values and unknown fields, which older clients refuse if there is one. */
  #v2(schema: JSONSchemaProps, depth: number): Schema {
    const { type, nullable, properties = {} } = schema;
    const keeps = schema['x-kubernetes-preserve-unknown-fields'] === true;
    const embedded = schema['x-kubernetes-embedded-resource'] === true && !keeps;
    const open = keeps || nullable === true;
    const items = open || Array.isArray(schema.items) ? undefined : schema.items;
    const typed =
      type &&
      nullable !== true &&
      !(keeps && type === 'object') &&
      !(type === 'array' && items === undefined);
    const required = (schema.required ?? []).filter(
      (name) => open || !Object.hasOwn(properties, name) || properties[name]!.nullable !== true,
    );
    const published = this.#keywordsOf(schema);
    if (typed) published['type'] = type;
    if (items !== undefined) published['items'] = this.schemaOf(items, depth + 1);
    this.#addProperties(published, open ? {} : schema, embedded, depth);
    this.#addAdditional(published, schema, depth);
    addRequired(published, required, embedded);
    return published;
  }

  /** The keywords that are published as they are. */
  #keywordsOf(schema: JSONSchemaProps): Schema {
    const published = keywordsOf(schema);
    if (!this.#showsExamples) return published;
    if (schema.externalDocs !== undefined) published['externalDocs'] = schema.externalDocs;
    if (schema.example !== undefined) published['example'] = plainValue(schema.example);
    return published;
  }

  #addProperties(to: Schema, { properties }: JSONSchemaProps, embedded: boolean, depth: number): void {
    const published: Schema = {};
    let isEmpty = !embedded;
    for (const name of Object.keys(properties ?? {})) {
      setMember(published, name, this.schemaOf(properties![name]!, depth + 1));
      isEmpty = false;
    }
    if (isEmpty) return;
    if (embedded)
      Object.assign(published, {
        ...typeMeta(EMBEDDED_API_VERSION, EMBEDDED_KIND),
        metadata: referenceTo('ObjectMeta', METADATA, this.#dialect),
      });
    to['properties'] = published;
  }

  #addAdditional(to: Schema, { additionalProperties: additional }: JSONSchemaProps, depth: number): void {
    if (additional === undefined) return;
    to['additionalProperties'] =
      typeof additional === 'boolean' ? additional : this.schemaOf(additional, depth + 1);
  }
}

function keywordsOf(schema: JSONSchemaProps): Schema {
  const published: Schema = {};
  for (const name of KEPT) {
    const value: unknown = schema[name];
    if (isSet(value)) published[name] = typeof value === 'bigint' ? Number(value) : value;
  }
  for (const name of FLAGS) if (schema[name] === true) published[name] = true;
  if (schema.enum !== undefined && schema.enum.length > 0) published['enum'] = schema.enum.map(plainValue);
  return published;
}

const isSet = (value: unknown): boolean =>
  value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

function addList(to: Schema, name: string, values: readonly Schema[] | undefined): void {
  if (values !== undefined && values.length > 0) to[name] = values;
}

/** The types that `x-kubernetes-int-or-string` stands for, unless the schema names them itself. */
function unfolded(schema: JSONSchemaProps): Pick<JSONSchemaProps, 'allOf' | 'anyOf'> {
  const { allOf, anyOf } = schema;
  if (schema['x-kubernetes-int-or-string'] !== true) return schema;
  if (isIntOrString(anyOf) || isIntOrString(allOf?.[0]?.anyOf)) return schema;
  return anyOf === undefined || anyOf.length === 0
    ? { allOf, anyOf: INT_OR_STRING }
    : { allOf: [{ anyOf: INT_OR_STRING }, ...(allOf ?? [])], anyOf };
}

const INT_OR_STRING: JSONSchemaProps[] = [{ type: 'integer' }, { type: 'string' }];

function addRequired(to: Schema, required: readonly string[] = [], embedded: boolean): void {
  const added = embedded ? ['kind', 'apiVersion'].filter((name) => !required.includes(name)) : [];
  if (required.length + added.length > 0) to['required'] = [...required, ...added];
}
