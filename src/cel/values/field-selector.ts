import type { Field } from './schema/typed-schema.ts';

/**
 * A field name that stands in an expression. It remembers where the objects that it was last used on keep the
 * field: the same selection nearly always sees objects of one schema.
 */
export class FieldSelector {
  readonly name: string;
  /** Every object has something by that name, which is no member of it. */
  readonly isInherited: boolean;
  /** The schema that `field` is of. */
  schema: object | undefined;
  field: Field | undefined;

  constructor(name: string) {
    this.name = name;
    this.isInherited = isInherited(name);
  }
}

/**
 * Whether plain objects have something by a name without being given it (`constructor`, `__proto__`): reading
 * it needs a look at what is their own.
 */
export function isInherited(name: string): boolean {
  return name in Object.prototype;
}
