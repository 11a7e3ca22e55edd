import type { Field, ValueType } from '../schema/message.ts';
import { DecodeError } from './decode-error.ts';

/** A value of the wrong JSON type, on its way up: every message it passes adds the field it came through. */
export class Mismatch extends Error {
  private struct: string | undefined;
  private readonly fields: string[] = [];

  /**
   * @param found what was there: `string`, `number`, `number 5.0`, `bool`, `array`, `object`
   * @param expected Go's name of the type that belongs there
   */
  constructor(
    private readonly found: string,
    private readonly expected: string,
  ) {
    super('value of the wrong type');
  }

  /** Adds the field of a message; the innermost message gives its name. */
  passing(struct: string, field: string): void {
    this.struct ??= struct;
    this.fields.unshift(field);
  }

  /** The error as clients see it. */
  toDecodeError(): DecodeError {
    const place =
      this.struct === undefined ? 'value' : `struct field ${this.struct}.${this.fields.join('.')}`;
    return new DecodeError(`json: cannot unmarshal ${this.found} into Go ${place} of type ${this.expected}`);
  }
}

/** An error for a value where `expected` (Go's name of the type) belongs. */
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

/** Go's name of a type, as its messages print it. */
export function goTypeName(type: ValueType): string {
  if (type.scalar !== undefined) return goScalars[type.scalar];
  const [family, name] = type.message.name.split('.') as [string, string];
  return `${family === 'quantity' ? 'resource' : family.slice(family.indexOf('_') + 1)}.${name}`;
}

/** Go's name of a field's whole type. */
export function goFieldType(field: Field): string {
  const name = goTypeName(field.type);
  if (field.shape === 'list') return `[]${name}`;
  if (field.shape === 'map') return name === 'resource.Quantity' ? 'v1.ResourceList' : `map[string]${name}`;
  return name;
}
