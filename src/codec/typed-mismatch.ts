import type { Field, ValueType } from '../schema/message.ts';
import { DecodeError } from './decode-error.ts';
import { jsonTypeOf } from './type-meta.ts';

/** A value of the wrong JSON type. While it propagates, every enclosing message adds its field. */
export class Mismatch extends Error {
  private struct: string | undefined;
  private readonly fields: string[] = [];
  private decodesItself = false;
  /** Go's type of the strings of the innermost field, if it has one of its own. */
  private goType: string | undefined;

  /**
   * @param found the JSON type of the value: `string`, `number`, `number 5.0`, `bool`, `array`, `object`
   * @param expected Go's name of the expected type
   * @param kind Go's kind of the value in a tree of decoded JSON
   */
  constructor(
    private readonly found: string,
    private readonly expected: string,
    private readonly kind: string,
  ) {
    super('value of the wrong type');
  }

  /**
   * Adds the field of a message; the innermost message sets the struct name.
   * @param goType Go's type of the strings of the field, if it has one of its own
   */
  passing(struct: string, field: string, goType?: string): void {
    if (this.struct === undefined) this.goType = goType;
    this.struct ??= struct;
    this.fields.unshift(field);
  }

  /** The type that contains the value decodes itself: it does not tell the fields inside. */
  forgetFields(): this {
    this.decodesItself = true;
    this.goType = undefined;
    this.struct = undefined;
    this.fields.length = 0;
    return this;
  }

  /** The error of decoding JSON, with the message for clients. */
  toDecodeError(): DecodeError {
    const place =
      this.struct === undefined ? 'value' : `struct field ${this.struct}.${this.fields.join('.')}`;
    const expected = this.named(this.expected);
    return new DecodeError(`json: cannot unmarshal ${this.found} into Go ${place} of type ${expected}`);
  }

  /** The error of restoring an object from a tree of decoded JSON, with the message for clients. */
  toRestoreError(): DecodeError {
    const { expected, found, kind } = this;
    if (this.decodesItself)
      return new DecodeError(`json: cannot unmarshal ${found} into Go value of type ${expected}`);
    if (expected === RESOURCE_LIST || expected.startsWith('map['))
      return new DecodeError(`cannot restore map from ${kind}`);
    if (expected.startsWith('[]')) return new DecodeError(`cannot restore slice from ${kind}`);
    if (expected.includes('.')) return new DecodeError(`cannot restore struct from: ${kind}`);
    const isConvertible =
      kind === 'int64' ? expected === 'string' : kind === 'float64' && isInteger(expected);
    return new DecodeError(
      isConvertible ? `cannot convert ${kind} to ${this.named(expected)}` : `unrecognized type: ${expected}`,
    );
  }

  private named(type: string): string {
    if (this.goType === undefined || !type.endsWith('string')) return type;
    return type.slice(0, -'string'.length) + this.goType;
  }
}

const RESOURCE_LIST = 'v1.ResourceList';

/** Maps of JSON schemas that have types of their own in Go, by field and type of their values. */
const SCHEMA_MAPS: ReadonlyMap<string, string> = new Map([
  ['definitions v1.JSONSchemaProps', 'v1.JSONSchemaDefinitions'],
  ['dependencies v1.JSONSchemaPropsOrStringArray', 'v1.JSONSchemaDependencies'],
]);

const isInteger = (type: string): boolean => type === 'int32' || type === 'int64';

/** The error for a value of another type than `expected` (Go's name of the type). */
export function mismatch(value: unknown, expected: string): Mismatch {
  return new Mismatch(jsonTypeOf(value), expected, kindOf(value));
}

/** The error for a number that an integer type cannot hold. */
export function numberMismatch(literal: string | number | bigint, expected: string): Mismatch {
  return new Mismatch(`number ${literal}`, expected, 'float64');
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'slice';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int64';
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
    case 'string':
      return 'string';
    default:
      return 'map';
  }
}

const goScalars = {
  string: 'string',
  boolean: 'bool',
  int32: 'int32',
  int64: 'int64',
  double: 'float64',
  bytes: '[]uint8',
} as const;

/** Go's name of a type, as in its error messages. */
export function goTypeName(type: ValueType): string {
  if (type.scalar !== undefined) return goScalars[type.scalar];
  const [family, name] = type.message.name.split('.') as [string, string];
  return `${family === 'quantity' ? 'resource' : family.slice(family.indexOf('_') + 1)}.${name}`;
}

/** Go's name of the full type of a field. */
export function goFieldType(field: Field): string {
  const name = goTypeName(field.type);
  if (field.shape === 'list') return `[]${name}`;
  if (field.shape !== 'map') return name;
  if (name === 'resource.Quantity') return RESOURCE_LIST;
  return SCHEMA_MAPS.get(`${field.name} ${name}`) ?? `map[string]${name}`;
}
