import type { Steps } from '../../steps/steps.ts';
import { isContainer, type JsonObject } from './json.ts';
import type { Node } from './node.ts';
import { pathText } from './places.ts';
import { type Visit, walkAll } from './walk.ts';

/** Maximum number and length of reported paths. */
const MAXIMUM_PATHS = 10_000;
const MAXIMUM_TEXT = 1024 * 1024;

/** Members of complete objects that their schemas do not specify. */
export const isObjectMember = (name: string): boolean =>
  name === 'metadata' || name === 'kind' || name === 'apiVersion';

/** How values are pruned. */
export interface PruningOptions {
  /** The value is a whole object, whose apiVersion, kind and metadata stay. */
  readonly isObject?: boolean;
  /** Members that are null are removed, too, where null is not allowed and there is no default. */
  readonly dropsNulls?: boolean;
}

interface Pruning extends Visit {
  /** Members that are not specified stay. */
  readonly keeps: boolean;
  /** The value is a complete object, whose type and metadata stay. */
  readonly isResource: boolean;
}

/** Removes members that are not specified; remembers their paths. */
class Pruner {
  private readonly paths: string[] = [];
  private textLength = 0;

  constructor(private readonly dropsNulls: boolean) {}

  /** Paths of the removed members, sorted. */
  get dropped(): string[] {
    return this.paths.sort();
  }

  readonly visit = (pruning: Pruning, rest: Pruning[]): number => {
    const { value, node, place, keeps } = pruning;
    if (Array.isArray(value)) {
      const items = node?.items;
      for (let index = 0; index < value.length; index += 1) {
        const element = value[index] as unknown;
        if (!isContainer(element)) continue;
        if (keeps && items === undefined) continue;
        // Elements of a list that keeps unknown fields keep them too.
        rest.push(pruningOf(element, items, { parent: place, key: index }, keeps));
      }
      return value.length;
    }
    const names = Object.keys(value);
    for (const name of names) {
      if (pruning.isResource && isObjectMember(name)) continue;
      const member = (value as JsonObject)[name];
      const property = node?.member(name);
      if (property !== undefined || node?.schema.additionalProperties !== undefined) {
        const inner = property ?? node?.additional;
        if (isContainer(member)) rest.push(pruningOf(member, inner, { parent: place, key: name }));
        else if (this.dropsNulls && member === null && inner !== undefined && isStrict(inner))
          delete (value as JsonObject)[name];
      } else if (!keeps) {
        delete (value as JsonObject)[name];
        this.record(pruning, name);
      }
    }
    return names.length;
  };

  private record({ place }: Pruning, name: string): void {
    if (this.paths.length >= MAXIMUM_PATHS || this.textLength > MAXIMUM_TEXT) return;
    const path = pathText({ parent: place, key: name });
    this.textLength += path.length;
    this.paths.push(path);
  }
}

/** Returns whether a value may neither be null nor gets a default instead. */
const isStrict = ({ schema }: Node): boolean =>
  schema.nullable !== true && (schema.default === undefined || schema.default === null);

function pruningOf(value: object, node: Node | undefined, place: Visit['place'], keeps = false): Pruning {
  return {
    value,
    node,
    place,
    keeps: keeps || node?.schema.preservesUnknownFields === true,
    isResource: node?.schema.isEmbeddedResource === true,
  };
}

/**
 * Removes the members that a schema does not specify, in place. Values of the wrong type stay as they are.
 * Values of `additionalProperties: true` stay, but objects inside them lose their members, as in the reference.
 * @returns paths of the removed members, sorted; the first ones if there are many
 */
export function* pruneNode(
  node: Node,
  value: unknown,
  { isObject = false, dropsNulls = false }: PruningOptions,
): Steps<string[]> {
  const pruner = new Pruner(dropsNulls);
  if (isContainer(value)) yield* walkAll(rootOf(node, value, isObject), pruner.visit);
  return pruner.dropped;
}

function rootOf(node: Node, value: object, isResource: boolean): Pruning {
  const root = pruningOf(value, node, undefined);
  return isResource ? { ...root, isResource } : root;
}
