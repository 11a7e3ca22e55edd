import type { Value } from '../value.ts';
import { TypedSchema } from './typed-schema.ts';
import type { ValueSchema } from './value-schema.ts';

/** A JSON value typed by its schema. It must not change while the value is in use. */
export function valueOfSchema(json: unknown, schema: ValueSchema): Value {
  return TypedSchema.of(schema).wrap(json);
}
