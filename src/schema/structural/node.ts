import { type Junctor, junctorsOf } from './branches.ts';
import { type Checks, checksOf } from './checks.ts';
import { isContainer } from './json.ts';
import type { ValueSchema } from './value-schema.ts';

/** A default of a member: set where the member is absent, or null where null is not allowed. */
export interface MemberDefault {
  readonly name: string;
  readonly value: unknown;
  readonly nullable: boolean;
}

/** Which parts of a schema occur at a node or below it. */
export interface Contents {
  readonly hasUniqueLists: boolean;
  readonly hasEmbeddedResources: boolean;
  /** Number of schemas in junctors. */
  readonly alternatives: number;
}

const known = new WeakMap<ValueSchema, Contents>();

/**
 * One schema, compiled as far as it was used: nodes of members, of items and of alternatives and the checks of
 * keywords are made when a value first needs them. Nodes are immutable for callers.
 */
export class Node {
  private members: Map<string, Node> | undefined;
  private itemsNode: Node | undefined;
  private additionalNode: Node | undefined;
  private memberDefaults: readonly MemberDefault[] | undefined;
  private compiled: Checks | undefined;
  private junctorList: readonly Junctor[] | undefined;

  constructor(readonly schema: ValueSchema) {}

  /** Node of a declared member. */
  member(name: string): Node | undefined {
    const found = this.members?.get(name);
    if (found !== undefined) return found;
    const schema = this.schema.properties?.get(name);
    if (schema === undefined) return undefined;
    const node = new Node(schema);
    this.members ??= new Map();
    this.members.set(name, node);
    return node;
  }

  get items(): Node | undefined {
    if (this.itemsNode === undefined && this.schema.items !== undefined)
      this.itemsNode = new Node(this.schema.items);
    return this.itemsNode;
  }

  /** Node of members that are not declared; none if any value is allowed there. */
  get additional(): Node | undefined {
    const { additionalProperties } = this.schema;
    if (this.additionalNode === undefined && isContainer(additionalProperties))
      this.additionalNode = new Node(additionalProperties);
    return this.additionalNode;
  }

  /** Node of the value of a member. */
  valueOf(name: string): Node | undefined {
    return this.member(name) ?? this.additional;
  }

  /** Junctors of the schema, in the order in which they are tried. */
  get junctors(): readonly Junctor[] {
    this.junctorList ??= junctorsOf(this.schema, (schema) => new Node(schema));
    return this.junctorList;
  }

  get checks(): Checks {
    this.compiled ??= checksOf(this.schema);
    return this.compiled;
  }

  /** Defaults of declared members. */
  get defaults(): readonly MemberDefault[] {
    this.memberDefaults ??= defaultsOf(this.schema);
    return this.memberDefaults;
  }

  get contents(): Contents {
    return contentsOf(this.schema);
  }
}

const NO_DEFAULTS: readonly MemberDefault[] = [];

function defaultsOf({ properties }: ValueSchema): readonly MemberDefault[] {
  const defaults: MemberDefault[] = [];
  for (const [name, property] of properties ?? [])
    if (property.default !== undefined && property.default !== null)
      defaults.push({ name, value: property.default, nullable: property.nullable === true });
  return defaults.length === 0 ? NO_DEFAULTS : defaults;
}

const NOTHING: Contents = { hasUniqueLists: false, hasEmbeddedResources: false, alternatives: 0 };

function contentsOf(schema: ValueSchema): Contents {
  if (isScalar(schema)) return NOTHING;
  const found = known.get(schema);
  if (found !== undefined) return found;
  let hasUniqueLists = schema.listType === 'set' || schema.listType === 'map';
  let hasEmbeddedResources = schema.isEmbeddedResource === true;
  let alternatives = 0;
  const { properties, items, additionalProperties, not } = schema;
  const inner = [...(properties?.values() ?? [])];
  if (items !== undefined) inner.push(items);
  if (isContainer(additionalProperties)) inner.push(additionalProperties);
  for (const part of inner) {
    const contents = contentsOf(part);
    hasUniqueLists ||= contents.hasUniqueLists;
    hasEmbeddedResources ||= contents.hasEmbeddedResources;
    alternatives += contents.alternatives;
  }
  const branches = [schema.allOf, schema.anyOf, schema.oneOf].flatMap((list) => list ?? []);
  if (not !== undefined) branches.push(not);
  for (const branch of branches) alternatives += 1 + contentsOf(branch).alternatives;
  const contents = { hasUniqueLists, hasEmbeddedResources, alternatives };
  known.set(schema, contents);
  return contents;
}

/** Returns whether a schema has no inner schemas and no list type, as most have. */
const isScalar = ({
  properties,
  items,
  additionalProperties,
  listType,
  isEmbeddedResource,
  allOf,
  anyOf,
  oneOf,
  not,
}: ValueSchema): boolean =>
  (properties ??
    items ??
    additionalProperties ??
    listType ??
    isEmbeddedResource ??
    allOf ??
    anyOf ??
    oneOf ??
    not) === undefined;
