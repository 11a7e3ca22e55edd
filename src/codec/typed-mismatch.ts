import type { Field, ValueType } from '../schema/message.ts';
import { DecodeError } from './decode-error.ts';

/** A value of the wrong JSON type. While it propagates, every enclosing message adds its field. */
export class Mismatch extends Error {
  private struct: string | undefined;
  private readonly fields: string[] = [];

  /**
   * @param found the JSON type of the value: `string`, `number`, `number 5.0`, `bool`, `array`, `object`
   * @param expected Go's name of the expected type
   */
  constructor(
    private readonly found: string,
    private readonly expected: string,
  ) {
    super('value of the wrong type');
  }

  /** Adds the field of a message; the innermost message sets the struct name. */
  passing(struct: string, field: string): void {
    this.struct ??= struct;
    this.fields.unshift(field);
  }

  /** Forgets the fields so far: the types between decode themselves, and do not tell the fields inside. */
  forgetFields(): void {
    this.struct = undefined;
    this.fields.length = 0;
  }

  /** The error with the message for clients. */
  toDecodeError(): DecodeError {
    const place =
      this.struct === undefined ? 'value' : `struct field ${this.struct}.${this.fields.join('.')}`;
    return new DecodeError(`json: cannot unmarshal ${this.found} into Go ${place} of type ${this.expected}`);
  }
}

/** The error for a value of another type than `expected` (Go's name of the type). */
export function mismatch(value: unknown, expected: string): Mismatch {
  return new Mismatch(foundType(value), expected);
}

function foundType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'number';
  return typeof value;
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
  if (field.shape === 'map') return name === 'resource.Quantity' ? 'v1.ResourceList' : `map[string]${name}`;
  return name;
}
