import type { Value } from '../value.ts';
import { TypedSchema } from './typed-schema.ts';
import type { ValueSchema } from './value-schema.ts';

/** A JSON value as its schema types it. It must not change as long as the value is in use. */
export function valueOfSchema(json: unknown, schema: ValueSchema): Value {
  return TypedSchema.of(schema).wrap(json);
}
