import type { Field, MessageType, ScalarType } from '../schema/message.ts';

/**
 * How a value is owned and merged. Leaves, which are scalars and atomic values, are owned as a whole; structs
 * and maps per member, keyed lists and sets per item.
 */
export interface Shape {
  readonly kind: 'leaf' | 'struct' | 'map' | 'keyed' | 'set';
  /** Expected JSON type; `any` accepts all. null is always accepted. */
  readonly expects: 'scalar' | 'list' | 'map' | 'any';
  /** Expected type of a scalar, where the shape knows it. */
  readonly scalar?: 'string' | 'number' | 'boolean';
  /** Struct and map: the shape of a member; undefined for unknown members. */
  member(name: string): Member | undefined;
  /** Struct: a kind with the members apiVersion and kind, which no manager owns. */
  readonly isKind?: boolean;
  /** Struct: names of the members that are in JSON although the in-memory form lacks them. */
  impliedMembers(): readonly string[];
  /** Keyed list: names of the keys, sorted. */
  readonly keys: readonly string[];
  /** Keyed list: default values of omitted keys. */
  readonly keyDefaults: ReadonlyMap<string, unknown>;
  /** Keyed list: the shape of an item. */
  item(): Shape;
  /** Atomic map with declared fields: the same as if it were not atomic. Atomic list: the shape of an item. */
  inside?(): Shape;
  /**
   * For data whose shape depends on its value: returns the shape of these values of one field, undefined for
   * this shape.
   */
  deduce?(values: readonly unknown[]): Shape | undefined;
}

/** Returns the shape of the values that a field has on both sides. */
export const shapeOfValues = (shape: Shape, ...values: readonly unknown[]): Shape =>
  shape.deduce?.(values) ?? shape;

/** One member of a struct or map. */
export interface Member {
  readonly shape: Shape;
  /** A declared field, not a key of a map. */
  readonly named: boolean;
  /** The value in JSON when the in-memory form lacks the member; undefined if it is absent in JSON, too. */
  readonly unset: unknown;
  /** Empty lists, maps and zero values are absent in JSON. */
  readonly omitsEmpty: boolean;
}

const none: ReadonlyMap<string, unknown> = new Map();

const nothing: readonly string[] = [];

function simple(
  kind: Shape['kind'],
  expects: Shape['expects'],
  member: Shape['member'] = () => undefined,
  impliedMembers: Shape['impliedMembers'] = () => nothing,
): Shape {
  return { kind, expects, member, impliedMembers, keys: [], keyDefaults: none, item: () => anyLeaf };
}

const anyLeaf = simple('leaf', 'any');
const scalarLeaf = simple('leaf', 'scalar');
const textLeaf: Shape = { ...scalarLeaf, scalar: 'string' };
const numberLeaf: Shape = { ...scalarLeaf, scalar: 'number' };
const booleanLeaf: Shape = { ...scalarLeaf, scalar: 'boolean' };

const SCALARS: Readonly<Record<ScalarType, Shape>> = {
  string: textLeaf,
  bytes: textLeaf,
  boolean: booleanLeaf,
  int32: numberLeaf,
  int64: numberLeaf,
  double: numberLeaf,
};
const atomicList = simple('leaf', 'list');
const atomicMap = simple('leaf', 'map');
const valueSet = simple('set', 'list');
const anyMember: Member = { shape: anyLeaf, named: false, unset: undefined, omitsEmpty: false };

const messages = new WeakMap<MessageType, Shape>();
const granularMessages = new WeakMap<MessageType, Shape>();

/**
 * The shape of objects of a message.
 * @param isGranular the field declares its message granular, although its type is atomic elsewhere
 */
export function messageShape(type: MessageType, isGranular = false): Shape {
  const known = isGranular ? granularMessages : messages;
  let shape = known.get(type);
  if (shape === undefined) {
    shape = makeMessageShape(type, isGranular);
    known.set(type, shape);
  }
  return shape;
}

function makeMessageShape(type: MessageType, isGranular: boolean): Shape {
  switch (type.form) {
    case 'object':
      break;
    // Free-form data is owned as a whole, and may be of any type.
    case 'raw':
    case 'any':
    case 'unknown':
    case 'schemaOrArray':
    case 'schemaOrBool':
    case 'schemaOrStringArray':
      return anyLeaf;
    case 'array':
      return atomicList;
    default:
      return scalarLeaf;
  }
  if (type.mapType === 'atomic' && !isGranular)
    return { ...atomicMap, inside: () => messageShape(type, true) };
  const members = new Map<string, Member>();
  const member = (name: string): Member | undefined => {
    const known = members.get(name);
    const field = known === undefined ? type.byName.get(name) : undefined;
    if (field === undefined) return known;
    const created = makeMember(field);
    members.set(name, created);
    return created;
  };
  let implied: readonly string[] | undefined;
  const impliedMembers = (): readonly string[] =>
    (implied ??= [...type.byName.values()]
      .filter(({ unsetJson }) => unsetJson !== undefined)
      .map(({ name }) => name));
  return { ...simple('struct', 'map', member, impliedMembers), isKind: type.typeMeta };
}

function makeMember(field: Field): Member {
  const isImplied = field.unsetJson !== undefined;
  // The JSON of an unset in-memory message is that of its members.
  const unset = isImplied
    ? field.shape === 'single' && !field.pointer && field.type.message?.form === 'object'
      ? {}
      : (JSON.parse(field.unsetJson!) as unknown)
    : undefined;
  return { shape: fieldShape(field), named: true, unset, omitsEmpty: !isImplied && !field.pointer };
}

function valueShape(type: Field['type'], isGranular = false): Shape {
  return type.message === undefined ? SCALARS[type.scalar] : messageShape(type.message, isGranular);
}

function fieldShape(field: Field): Shape {
  if (field.shape === 'single')
    return field.mapType === 'atomic'
      ? { ...atomicMap, inside: () => valueShape(field.type, true) }
      : valueShape(field.type, field.mapType === 'granular');
  if (field.shape === 'map') {
    if (field.mapType === 'atomic') return atomicMap;
    const member: Member = { ...anyMember, shape: valueShape(field.type) };
    return simple('map', 'map', () => member);
  }
  const merges = field.patchStrategy?.split(',').includes('merge') === true;
  const listType = field.listType ?? (!merges ? 'atomic' : field.patchMergeKey === undefined ? 'set' : 'map');
  if (listType === 'atomic') return { ...atomicList, inside: () => valueShape(field.type) };
  if (listType === 'set') return valueSet;
  const keys = [...(field.listMapKeys ?? [field.patchMergeKey!])].sort();
  const defaults = new Map(keys.map((key) => [key, field.type.message?.byName.get(key)?.default]));
  return {
    kind: 'keyed',
    expects: 'list',
    member: () => undefined,
    impliedMembers: () => nothing,
    keys,
    keyDefaults: defaults,
    item: () => valueShape(field.type),
  };
}
