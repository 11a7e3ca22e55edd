import { BoundedMap } from '../../../collections/bounded-map.ts';
import { memberAt } from '../../../model/object.ts';
import { type Budget, evaluate } from './evaluate.ts';
import type { Node } from './nodes.ts';
import { parseJsonPath } from './parse.ts';

export { Budget } from './evaluate.ts';
export { JsonPathError } from './nodes.ts';

/** A path in the Kubernetes JSONPath dialect, parsed once. Immutable. */
export interface JsonPath {
  /**
   * Returns the first value at the path; undefined if there is none, the path cannot be followed or the
   * budget is exhausted.
   */
  first(object: object, budget: Budget): unknown;
}

const MAXIMUM_SHARED = 2000;
/** Longer texts are rare and are not shared. */
const LONGEST_SHARED = 200;
const shared = new BoundedMap<string, JsonPath>(MAXIMUM_SHARED);

/**
 * Returns the compiled form of a path; equal texts share it.
 * @throws JsonPathError
 */
export function compileJsonPath(text: string): JsonPath {
  let path = shared.get(text);
  if (path !== undefined) return path;
  path = compiled(parseJsonPath(text));
  if (text.length > LONGEST_SHARED) return path;
  shared.set(text, path);
  return path;
}

function compiled(nodes: readonly Node[]): JsonPath {
  const names = nodes.flatMap((node) => (node.type === 'field' ? [node.name] : []));
  // The path of most columns: names only.
  if (names.length === nodes.length) return { first: (object) => memberAt(object, names) };
  return { first: (object, budget) => evaluate(nodes, object, budget)?.[0] };
}
