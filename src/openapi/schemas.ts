import type { Field, MessageType, ScalarType } from '../schema/message.ts';
import type { DescribedRelease, Dialect, GroupVersionKind, Schema } from './document.ts';

/** Descriptions of kinds and fields. */
export interface Descriptions {
  ofType(type: MessageType): string | undefined;
  ofField(type: MessageType, field: Field): string | undefined;
}

/** Kinds that belong to all current and former group versions. */
const KINDS_IN_EVERY_GROUP: ReadonlySet<string> = new Set(['DeleteOptions', 'WatchEvent']);

const SCALARS: Readonly<Record<ScalarType, Schema>> = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
};
const ZERO: Readonly<Partial<Record<ScalarType, unknown>>> = {
  string: '',
  boolean: false,
  int32: 0,
  int64: 0,
  double: 0,
};

/** Writes schemas of messages for one OpenAPI version. */
export class SchemaWriter {
  readonly #prefix: string;
  readonly #dialect: Dialect;
  readonly #descriptions: Descriptions;
  readonly #release: DescribedRelease;

  constructor(dialect: Dialect, descriptions: Descriptions, release: DescribedRelease) {
    this.#dialect = dialect;
    this.#prefix = dialect === 'v3' ? '#/components/schemas/' : '#/definitions/';
    this.#descriptions = descriptions;
    this.#release = release;
  }

  reference(name: string): Schema {
    return { $ref: this.#prefix + name };
  }

  /** Adds the schemas of messages and of all messages they reference, by name. */
  addClosure(roots: Iterable<MessageType>, found: Map<string, Schema>): void {
    const pending = [...roots];
    for (let type = pending.pop(); type !== undefined; type = pending.pop()) {
      if (type.openapi === undefined || found.has(type.openapi)) continue;
      found.set(type.openapi, this.schemaOf(type));
      if (type.form !== 'object') continue;
      for (const { type: value } of type.jsonFields)
        if (value.message !== undefined) pending.push(value.message);
    }
  }

  /** The schema of one message. */
  schemaOf(type: MessageType): Schema {
    const description = this.#descriptions.ofType(type);
    return { ...(description === undefined ? {} : { description }), ...this.#shapeOf(type) };
  }

  #shapeOf(type: MessageType): Schema {
    const v3 = this.#dialect === 'v3';
    switch (type.form) {
      case 'object':
        return this.#objectOf(type);
      case 'time':
      case 'microTime':
        return { type: 'string', format: 'date-time' };
      case 'quantity':
        return v3 ? { oneOf: [{ type: 'string' }, { type: 'number' }] } : { type: 'string' };
      case 'intOrString':
        return {
          format: 'int-or-string',
          ...(v3 ? { oneOf: [{ type: 'integer' }, { type: 'string' }] } : { type: 'string' }),
        };
      case 'duration':
      case 'groupVersion':
        return { type: 'string' };
      case 'raw':
      case 'unknown':
        return { type: 'object' };
      case 'array':
        return { type: 'array', items: this.#elementOf(type.items!, undefined) };
      default:
        return {};
    }
  }

  #objectOf(type: MessageType): Schema {
    const properties: [string, Schema][] = type.jsonFields.map((field) => [
      field.name,
      this.#propertyOf(type, field),
    ]);
    if (type.typeMeta) properties.push(['apiVersion', describedBy(API_VERSION)], ['kind', describedBy(KIND)]);
    const required = type.jsonFields.filter((field) => field.required).map(({ name }) => name);
    const kinds = kindsOf(type, this.#release);
    return {
      type: 'object',
      ...(required.length === 0 ? {} : { required }),
      ...(properties.length === 0
        ? {}
        : { properties: Object.fromEntries(properties.sort(([a], [b]) => (a < b ? -1 : 1))) }),
      ...(kinds.length === 0 ? {} : { 'x-kubernetes-group-version-kind': kinds }),
      ...(type.mapType === undefined ? {} : { 'x-kubernetes-map-type': type.mapType }),
      ...(type.unions === undefined || type.unions.length === 0
        ? {}
        : { 'x-kubernetes-unions': type.unions }),
    };
  }

  #propertyOf(type: MessageType, field: Field): Schema {
    const description = this.#descriptions.ofField(type, field);
    const value = this.#valueOf(field);
    const extensions = extensionsOf(field);
    const isReference = '$ref' in value;
    const parts = {
      ...(description === undefined ? {} : { description }),
      ...(this.#dialect === 'v3' && defaultOf(field) !== undefined ? { default: defaultOf(field) } : {}),
    };
    if (this.#dialect === 'v3' && isReference)
      return BARE_REFERENCES.has(`${type.shortName}.${field.name}`)
        ? value
        : { ...parts, allOf: [value], ...extensions };
    const { type: valueType, format, ...rest } = value;
    return {
      ...(description === undefined ? {} : { description }),
      ...(valueType === undefined ? {} : { type: valueType }),
      ...(format === undefined ? {} : { format }),
      ...parts,
      ...rest,
      ...(field.enum === undefined ? {} : { enum: [...field.enum].sort() }),
      ...extensions,
    };
  }

  /** The schema of a field's value, without the properties of the field itself. */
  #valueOf(field: Field): Schema {
    if (field.shape === 'list') return { type: 'array', items: this.#elementOf(field.type, field) };
    if (field.shape === 'map')
      return { type: 'object', additionalProperties: this.#elementOf(field.type, field) };
    return field.type.scalar === undefined ? this.#messageOf(field.type.message) : SCALARS[field.type.scalar];
  }

  /** A reference to a named message, or the inline schema of an unnamed one. */
  #messageOf(message: MessageType): Schema {
    return message.openapi === undefined || message.form === 'array'
      ? this.#shapeOf(message)
      : this.reference(message.openapi);
  }

  /** The schema of list items and map values: the zero value is their default. */
  #elementOf(type: Field['type'], field: Field | undefined): Schema {
    const v3 = this.#dialect === 'v3';
    if (type.scalar !== undefined) {
      const zero = ZERO[type.scalar];
      return {
        ...SCALARS[type.scalar],
        ...(v3 && zero !== undefined ? { default: zero } : {}),
        ...(field?.itemsEnum === undefined ? {} : { enum: [...field.itemsEnum].sort() }),
      };
    }
    const value = this.#messageOf(type.message);
    return v3 && '$ref' in value && type.message.form === 'object' ? { default: {}, allOf: [value] } : value;
  }
}

/** Fields without a description in kube-apiserver: their reference is not wrapped to stand beside one. */
const BARE_REFERENCES: ReadonlySet<string> = new Set([
  'IngressRule.http',
  ...['additionalItems', 'additionalProperties', 'example', 'externalDocs', 'items', 'not'].map(
    (name) => `JSONSchemaProps.${name}`,
  ),
]);

const API_VERSION = 'Version of the form in which this object is written, for example v1 or apps/v1.';
const KIND = 'Kind of this object in CamelCase. It cannot change.';
const describedBy = (description: string): Schema => ({ description, type: 'string' });

/** A message that is always present defaults to an empty one. */
function defaultOf({ default: own, shape, pointer, type: { message } }: Field): unknown {
  return own ?? (shape === 'single' && !pointer && message?.form === 'object' ? {} : undefined);
}

function extensionsOf(field: Field): Schema {
  return {
    ...(field.listMapKeys === undefined ? {} : { 'x-kubernetes-list-map-keys': field.listMapKeys }),
    ...(field.listType === undefined ? {} : { 'x-kubernetes-list-type': field.listType }),
    ...(field.mapType === undefined ? {} : { 'x-kubernetes-map-type': field.mapType }),
    ...(field.patchMergeKey === undefined ? {} : { 'x-kubernetes-patch-merge-key': field.patchMergeKey }),
    ...(field.patchStrategy === undefined ? {} : { 'x-kubernetes-patch-strategy': field.patchStrategy }),
  };
}

function kindsOf(
  { kind, shortName, group, version }: MessageType,
  { groupVersions }: DescribedRelease,
): readonly GroupVersionKind[] {
  if (group === 'meta.k8s.io' && KINDS_IN_EVERY_GROUP.has(shortName))
    return groupVersions.map((one) => ({ group: one.group, kind: shortName, version: one.version }));
  if (kind === undefined) return [];
  // Machinery kinds are encoded as v1 of the core group.
  return [{ group: group === 'meta.k8s.io' ? '' : group, kind, version }];
}
