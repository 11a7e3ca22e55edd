import { MapValue } from '../map.ts';
import type { Value } from '../value.ts';
import { escapePropertyName, unescapePropertyName } from './property-names.ts';
import type { ValueSchema, Wrap } from './value-schema.ts';

/** A JSON object as its schema types it: with declared properties under their escaped names, or as a map. */
export class SchemaObject extends MapValue {
  private readonly members: Readonly<Record<string, unknown>>;
  private readonly schema: ValueSchema;
  private readonly wrap: Wrap;

  constructor(members: Readonly<Record<string, unknown>>, schema: ValueSchema, wrap: Wrap) {
    super();
    this.members = members;
    this.schema = schema;
    this.wrap = wrap;
  }

  get size(): number {
    return Object.keys(this.members).length;
  }

  /** A property that is null counts as absent; a map's value may be null. */
  find(key: Value): Value | undefined {
    if (typeof key !== 'string') return undefined;
    const { property, additionalProperties } = this.schema;
    if (property === undefined) {
      if (additionalProperties === undefined || !Object.hasOwn(this.members, key)) return undefined;
      return this.wrap(this.members[key], additionalProperties);
    }
    const name = unescapePropertyName(key);
    if (name === undefined || !Object.hasOwn(this.members, name)) return undefined;
    const member = this.members[name];
    const schema = member === null ? undefined : property(name);
    return schema === undefined ? undefined : this.wrap(member, schema);
  }

  keys(): readonly Value[] {
    const names = Object.keys(this.members);
    const { property, additionalProperties } = this.schema;
    if (property === undefined) return additionalProperties === undefined ? [] : names;
    return names.filter((name) => property(name) !== undefined).flatMap((name) => escapePropertyName(name) ?? []);
  }
}
