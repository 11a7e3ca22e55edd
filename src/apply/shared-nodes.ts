import { FieldSet } from './field-set.ts';

/** Completed nodes after which equal nodes are shared, most children of such a node, and most such nodes. */
const UNSHARED_NODES = 64;
export const SHARED_CHILDREN = 16;
const SHARED_NODES = 1024;

/** Finds equal nodes, so that they are in memory once. */
export class SharedNodes {
  #nodes = 0;
  #known: Map<string, FieldSet> | undefined;
  #numbers: Map<FieldSet, number> | undefined;

  /** Returns an equal node that was completed before, or the node. */
  of(set: FieldSet): FieldSet {
    this.#nodes += 1;
    if (this.#nodes < UNSHARED_NODES) return set;
    const key = this.#keyOf(set);
    if (key === undefined) return set;
    this.#known ??= new Map();
    this.#numbers ??= new Map();
    const known = this.#known.get(key);
    if (known !== undefined || this.#known.size >= SHARED_NODES) return known ?? set;
    this.#known.set(key, set);
    this.#numbers.set(set, this.#known.size);
    return set;
  }

  /** Identifies a node whose children are shared ones; undefined for others. */
  #keyOf({ member, children }: FieldSet): string | undefined {
    let key = String(member);
    for (const [element, child] of children) {
      const number = child === FieldSet.leaf ? 0 : this.#numbers?.get(child);
      if (number === undefined) return undefined;
      key += ` ${number} ${element.length} ${element}`;
    }
    return key;
  }
}
