import { internalTypes } from '../model/internal-types.ts';
import { isJsonObject } from '../model/json-object.ts';
import type { ValueSchema } from '../schema/structural/index.ts';
import { type Member, messageShape, type Shape } from './shape.ts';

/** What a schema passes on to the schemas of its members and items. */
interface Inherited {
  /** A schema above keeps unknown fields: members that are not declared are owned by their form. */
  readonly keepsUnknown: boolean;
}

const NO_KEYS: readonly string[] = [];
const NO_DEFAULTS: ReadonlyMap<string, unknown> = new Map();
const nothing = (): readonly string[] => NO_KEYS;

function leaf(expects: Shape['expects']): Shape {
  return {
    kind: 'leaf',
    expects,
    member: () => undefined,
    impliedMembers: nothing,
    keys: NO_KEYS,
    keyDefaults: NO_DEFAULTS,
    item: () => anyLeaf,
  };
}

const anyLeaf = leaf('any');
const scalarLeaf = leaf('scalar');
const textLeaf: Shape = { ...scalarLeaf, scalar: 'string' };
const numberLeaf: Shape = { ...scalarLeaf, scalar: 'number' };
const booleanLeaf: Shape = { ...scalarLeaf, scalar: 'boolean' };
const listLeaf = leaf('list');
const mapLeaf = leaf('map');

/** Data of an unknown form: maps are owned per member, lists and scalars as a whole. */
const deduced: Shape = {
  ...leaf('any'),
  kind: 'map',
  member: () => deducedMember,
  deduce: (values) => {
    let some = false;
    for (const value of values) {
      if (value === undefined || value === null) continue;
      if (!isJsonObject(value)) return anyLeaf;
      some = true;
    }
    return some ? undefined : anyLeaf;
  },
};
const deducedMember: Member = { shape: deduced, named: false, unset: undefined, omitsEmpty: false };

/**
 * The metadata of objects, also of embedded ones, has the form of built-in kinds, but members that are not set
 * have no value in JSON.
 */
const metadataMember = (): Member => ({
  shape: { ...messageShape(internalTypes.type('meta_v1.ObjectMeta')), impliedMembers: nothing },
  named: true,
  unset: undefined,
  omitsEmpty: false,
});

/** Returns the shape of custom objects with this schema. Shapes of members are made on first use. */
export function structuralShape(schema: ValueSchema): Shape {
  return shapeOf(schema, { keepsUnknown: false }, true);
}

function shapeOf(schema: ValueSchema, inherited: Inherited, isResource: boolean): Shape {
  const keepsUnknown = inherited.keepsUnknown || schema.preservesUnknownFields === true;
  if (schema.isIntOrString === true) return scalarLeaf;
  switch (schema.type) {
    case 'object':
      return objectShape(schema, { keepsUnknown }, isResource);
    case 'array':
      return listShape(schema, { keepsUnknown });
    case undefined:
    case '':
      return deduced;
    // As in kube-apiserver, a value with a format may be of any scalar type; validation refuses it.
    case 'string':
      return (schema.format ?? '') === '' || schema.format === 'byte' ? textLeaf : scalarLeaf;
    case 'integer':
    case 'number':
      return numberLeaf;
    case 'boolean':
      return booleanLeaf;
    default:
      return scalarLeaf;
  }
}

function objectShape(schema: ValueSchema, inherited: Inherited, isResource: boolean): Shape {
  if (schema.mapType === 'atomic')
    return { ...mapLeaf, inside: once(() => granularShape(schema, inherited, isResource)) };
  return granularShape(schema, inherited, isResource);
}

function once(make: () => Shape): () => Shape {
  let made: Shape | undefined;
  return () => (made ??= make());
}

function granularShape(schema: ValueSchema, inherited: Inherited, isResource: boolean): Shape {
  const { properties, additionalProperties } = schema;
  const members = new Map<string, Member>();
  const declared = (name: string): Member | undefined => {
    if (isResource && name === 'metadata') return metadataMember();
    if (isResource && (name === 'apiVersion' || name === 'kind'))
      return { shape: scalarLeaf, named: true, unset: undefined, omitsEmpty: false };
    const property = properties?.get(name);
    return property && { ...member(property, inherited), named: true };
  };
  let others: Member | undefined;
  if (typeof additionalProperties === 'object') others = member(additionalProperties, inherited);
  else if (additionalProperties === true) others = deducedMember;
  else if (
    additionalProperties === undefined &&
    (inherited.keepsUnknown || ((properties?.size ?? 0) === 0 && !isResource))
  )
    others = deducedMember;
  return {
    ...leaf('map'),
    kind: (properties?.size ?? 0) === 0 && !isResource ? 'map' : 'struct',
    member(name) {
      let known = members.get(name);
      if (known === undefined) {
        known = declared(name);
        if (known === undefined) return others;
        members.set(name, known);
      }
      return known;
    },
  };
}

const member = (schema: ValueSchema, inherited: Inherited): Member => ({
  shape: shapeOf(schema, inherited, schema.isEmbeddedResource === true),
  named: false,
  unset: undefined,
  omitsEmpty: false,
});

function listShape({ items, listType, listMapKeys = [] }: ValueSchema, inherited: Inherited): Shape {
  if (listType === 'set') return { ...leaf('list'), kind: 'set' };
  if (items === undefined) return listLeaf;
  const item = once(() => shapeOf(items, inherited, items.isEmbeddedResource === true));
  if (listType !== 'map') return { ...listLeaf, inside: item };
  const keys = [...listMapKeys].sort();
  return {
    ...leaf('list'),
    kind: 'keyed',
    keys,
    keyDefaults: new Map(keys.map((key) => [key, items.properties?.get(key)?.default])),
    item,
  };
}
