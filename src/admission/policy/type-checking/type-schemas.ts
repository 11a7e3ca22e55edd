import type { TypeSchema } from '../../../cel/index.ts';
import { internalTypes } from '../../../model/internal-types.ts';
import type { Field, MessageForm, MessageType, ScalarType, ValueType } from '../../../schema/message.ts';
import type { ValueSchema } from '../../../schema/structural/index.ts';

const TEXT: TypeSchema = { type: 'string' };
const TIME: TypeSchema = { type: 'string', format: 'date-time' };
const UNTYPED: TypeSchema = {};

const SCALARS: Readonly<Record<ScalarType, TypeSchema>> = {
  string: TEXT,
  boolean: { type: 'boolean' },
  int32: { type: 'integer' },
  int64: { type: 'integer' },
  double: { type: 'number' },
  bytes: { type: 'string', format: 'byte' },
};

/** The published types of values that are not objects of their fields; others are not published. */
const FORMS: Readonly<Partial<Record<MessageForm, TypeSchema>>> = {
  time: TIME,
  microTime: TIME,
  duration: TEXT,
  quantity: TEXT,
  groupVersion: TEXT,
  intOrString: { intOrString: true },
  raw: { type: 'object', properties: new Map() },
};

const known = new WeakMap<MessageType, TypeSchema>();

/** The published schema of a built-in message. */
export function messageTypeSchema(type: MessageType): TypeSchema {
  let schema = known.get(type);
  if (schema !== undefined) return schema;
  if (type.form === 'array') return { type: 'array', items: type.items && valueTypeSchema(type.items) };
  if (type.form !== 'object') return FORMS[type.form] ?? UNTYPED;
  const properties = new Map<string, TypeSchema>();
  schema = { type: 'object', properties };
  // Types are recursive.
  known.set(type, schema);
  if (type.typeMeta) for (const name of ['apiVersion', 'kind']) properties.set(name, TEXT);
  for (const [name, field] of type.byName) properties.set(name, fieldSchema(field));
  return schema;
}

const valueTypeSchema = ({ scalar, message }: ValueType): TypeSchema =>
  message === undefined ? SCALARS[scalar] : messageTypeSchema(message);

function fieldSchema({ shape, type }: Field): TypeSchema {
  const value = valueTypeSchema(type);
  switch (shape) {
    case 'list':
      return { type: 'array', items: value };
    case 'map':
      return { type: 'object', additionalProperties: value };
    default:
      return value;
  }
}

/** The published schema of a custom kind: with the metadata of all objects. */
export function customTypeSchema(schema: ValueSchema): TypeSchema {
  const declared = structuralTypeSchema(schema);
  return {
    ...declared,
    type: 'object',
    properties: new Map([
      ...(declared.properties ?? []),
      ['apiVersion', TEXT],
      ['kind', TEXT],
      ['metadata', messageTypeSchema(internalTypes.type('meta_v1.ObjectMeta'))],
    ]),
  };
}

function structuralTypeSchema(schema: ValueSchema): TypeSchema {
  const { additionalProperties: values, items } = schema;
  return {
    type: schema.type,
    format: schema.format,
    intOrString: schema.isIntOrString,
    embeddedResource: schema.isEmbeddedResource,
    properties: new Map(
      [...(schema.properties ?? [])].map(([name, property]) => [name, structuralTypeSchema(property)]),
    ),
    additionalProperties: typeof values === 'object' ? structuralTypeSchema(values) : undefined,
    items: items && structuralTypeSchema(items),
  };
}
