import { isContainer, type JsonObject } from './json.ts';
import type { Node } from './node.ts';
import { isObjectMember } from './prune.ts';

/** Members and elements that are looked at; a larger object counts as incomplete. */
const MAXIMUM_MEMBERS = 2048;
/** The same for an object that may take several milliseconds. */
const MAXIMUM_MEMBERS_OF_LARGE = 100_000;

/** Looks for what pruning or defaulting would change. */
class Search {
  constructor(private left: number) {}

  /** @param keeps unknown members stay */
  isComplete(value: object, node: Node, keeps: boolean, isRoot = false): boolean {
    return Array.isArray(value)
      ? this.isCompleteList(value, node, keeps)
      : this.isCompleteObject(value as JsonObject, node, keeps, isRoot);
  }

  private isCompleteObject(object: JsonObject, node: Node, keeps: boolean, isRoot: boolean): boolean {
    for (const { name } of node.defaults)
      if (!(isRoot && isObjectMember(name)) && (!Object.hasOwn(object, name) || object[name] === undefined))
        return false;
    for (const name of Object.keys(object)) {
      this.left -= 1;
      if (this.left < 0) return false;
      const member = object[name];
      if (member === undefined || (isRoot && isObjectMember(name))) continue;
      const inner = node.valueOf(name);
      if (inner === undefined) {
        if (keeps && node.schema.additionalProperties === undefined) continue;
        if (node.schema.additionalProperties === undefined || isContainer(member)) return false;
      } else if (member === null) {
        if (inner.schema.nullable !== true) return false;
      } else if (isContainer(member) && !this.isComplete(member, inner, keepsUnknown(inner))) return false;
    }
    return true;
  }

  private isCompleteList(list: readonly unknown[], { items }: Node, keeps: boolean): boolean {
    this.left -= list.length;
    if (this.left < 0) return false;
    for (const element of list) {
      if (element === null && items?.schema.default !== undefined) return false;
      if (!isContainer(element)) continue;
      if (items === undefined) {
        if (!keeps) return false;
      } else if (!this.isComplete(element, items, keeps || keepsUnknown(items))) return false;
    }
    return true;
  }
}

const keepsUnknown = ({ schema }: Node): boolean => schema.preservesUnknownFields === true;

/**
 * Returns whether pruning and defaulting leave a whole object as it is. False also for large objects and for
 * schemas with embedded resources, where this is not looked at.
 */
export function isCompleteObject(node: Node, object: object, isLarge = false): boolean {
  if (node.contents.hasEmbeddedResources) return false;
  const search = new Search(isLarge ? MAXIMUM_MEMBERS_OF_LARGE : MAXIMUM_MEMBERS);
  try {
    return search.isComplete(object, node, keepsUnknown(node), true);
  } catch (error) {
    // The object is nested too deeply to find out.
    if (error instanceof RangeError) return false;
    throw error;
  }
}
