import type { Field } from './schema/typed-schema.ts';

/**
 * A field name in an expression. It caches the position of the field in the schema of the last object,
 * because a selection nearly always sees objects of one schema.
 */
export class FieldSelector {
  readonly name: string;
  /** Plain JavaScript objects inherit a property of this name. */
  readonly isInherited: boolean;
  /** The schema that `field` belongs to. */
  schema: object | undefined;
  field: Field | undefined;

  constructor(name: string) {
    this.name = name;
    this.isInherited = isInherited(name);
  }
}

/**
 * Whether plain JavaScript objects inherit a property of this name (`constructor`, `__proto__`), so that
 * reading it needs an own-property check.
 */
export function isInherited(name: string): boolean {
  return name in Object.prototype;
}
