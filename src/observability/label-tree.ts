type Node<V> = Map<string, Node<V> | V>;

/** A map from tuples of strings: one map per position, so that no composite key is built. */
export class LabelTree<V> {
  readonly #root: Node<V> = new Map();
  readonly #depth: number;
  #single: V | undefined;
  #size = 0;

  constructor(depth: number) {
    this.#depth = depth;
  }

  get size(): number {
    return this.#size;
  }

  find(values: readonly string[]): V | undefined {
    if (values.length !== this.#depth) return undefined;
    if (values.length === 0) return this.#single;
    let node: Node<V> | V | undefined = this.#root;
    for (let index = 0; index < values.length; index += 1) {
      node = (node as Node<V>).get(values[index]!);
      if (node === undefined) return undefined;
    }
    return node as V;
  }

  /** @param values not in the tree yet */
  add(values: readonly string[], value: V): V {
    this.#size += 1;
    if (this.#depth === 0) {
      this.#single = value;
      return value;
    }
    let node = this.#root;
    for (let index = 0; index < this.#depth - 1; index += 1) {
      let next = node.get(values[index]!) as Node<V> | undefined;
      if (next === undefined) {
        next = new Map();
        node.set(values[index]!, next);
      }
      node = next;
    }
    node.set(values[this.#depth - 1]!, value);
    return value;
  }

  /** Removes all tuples with the given values; undefined, or no value, matches every value. */
  remove(values: readonly (string | undefined)[]): void {
    if (this.#depth > 0) this.#size -= remove(this.#root, this.#depth, values);
  }

  *entries(): Generator<[readonly string[], V]> {
    if (this.#depth === 0) {
      if (this.#single !== undefined) yield [[], this.#single];
    } else yield* walk<V>(this.#root, this.#depth, []);
  }
}

/** Returns the number of removed tuples. */
function remove<V>(node: Node<V>, depth: number, [value, ...rest]: readonly (string | undefined)[]): number {
  let removed = 0;
  for (const key of value === undefined ? [...node.keys()] : [value]) {
    const next = node.get(key);
    if (next === undefined) continue;
    removed += depth === 1 ? 1 : remove(next as Node<V>, depth - 1, rest);
    if (depth === 1 || (next as Node<V>).size === 0) node.delete(key);
  }
  return removed;
}

function* walk<V>(
  node: Node<V>,
  depth: number,
  values: readonly string[],
): Generator<[readonly string[], V]> {
  for (const [value, next] of node) {
    const path = [...values, value];
    if (depth === 1) yield [path, next as V];
    else yield* walk(next as Node<V>, depth - 1, path);
  }
}
