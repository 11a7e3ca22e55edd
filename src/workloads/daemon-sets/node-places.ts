import { isDeepStrictEqual } from 'node:util';
import type { Node } from '../../model/generated/core-v1.ts';
import type { IndexedSource } from '../../reader/object-source.ts';
import { type NodePlace, placeOf } from './placement.ts';

/** Called with what a node was and is; undefined for one that did not exist, or does not any more. */
export type PlaceListener = (current: NodePlace | undefined, previous: NodePlace | undefined) => void;

/** What decides about the placement of Pods, of all nodes. Heartbeats change nothing of it. */
export class NodePlaces {
  readonly #places = new Map<string, NodePlace>();

  constructor(nodes: IndexedSource, changed: PlaceListener) {
    nodes.onChange((key, node) => {
      const previous = this.#places.get(key);
      const current = node === undefined ? undefined : placeOf(node.peek() as Node);
      if (current === undefined) this.#places.delete(key);
      else if (isDeepStrictEqual(current, previous)) return;
      else this.#places.set(key, current);
      changed(current, previous);
    });
  }

  get all(): Iterable<NodePlace> {
    return this.#places.values();
  }
}
