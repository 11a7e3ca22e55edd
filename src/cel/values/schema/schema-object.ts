import type { FieldSelector } from '../field-selector.ts';
import { MapValue } from '../map.ts';
import type { Value } from '../value.ts';
import { escapePropertyName } from './property-names.ts';
import type { Field, TypedSchema } from './typed-schema.ts';

/** A JSON object typed by its schema: with declared properties under their escaped names, or as a map. */
export class SchemaObject extends MapValue {
  private readonly members: Readonly<Record<string, unknown>>;
  private readonly schema: TypedSchema;
  /** Converted values, by the position of their fields. */
  private converted: Value[] | undefined = undefined;

  constructor(members: Readonly<Record<string, unknown>>, schema: TypedSchema) {
    super();
    this.members = members;
    this.schema = schema;
  }

  get size(): number {
    return Object.keys(this.members).length;
  }

  find(key: Value): Value | undefined {
    if (typeof key !== 'string') return undefined;
    if (this.schema.isObject) {
      const field = this.schema.field(key);
      return field === undefined ? undefined : this.read(field);
    }
    const { member } = this.schema;
    return member === undefined || !Object.hasOwn(this.members, key)
      ? undefined
      : member.wrap(this.members[key]);
  }

  override select(selector: FieldSelector): Value | undefined {
    const { schema } = this;
    if (selector.schema !== schema) {
      if (!schema.isObject) return this.find(selector.name);
      selector.field = schema.field(selector.name);
      selector.schema = schema;
    }
    return selector.field === undefined ? undefined : this.read(selector.field);
  }

  /** A property that is null counts as absent; a map's value may be null. */
  private read({ property, isInherited, schema, cacheIndex }: Field): Value | undefined {
    if (cacheIndex !== undefined) {
      const converted = this.converted?.[cacheIndex];
      if (converted !== undefined) return converted;
    }
    if (isInherited && !Object.hasOwn(this.members, property)) return undefined;
    const json = this.members[property];
    if (json === null || json === undefined) return undefined;
    const value = schema.wrap(json);
    if (cacheIndex !== undefined) {
      this.converted ??= new Array<Value>(this.schema.cacheSize);
      this.converted[cacheIndex] = value;
    }
    return value;
  }

  keys(): readonly Value[] {
    const names = Object.keys(this.members);
    if (!this.schema.isObject) return this.schema.member === undefined ? [] : names;
    return names
      .filter((name) => this.schema.declares(name))
      .flatMap((name) => escapePropertyName(name) ?? []);
  }
}
