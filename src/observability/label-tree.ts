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

  /** Removes all tuples that begin with a value. */
  removeFirst(value: string): void {
    const branch = this.#root.get(value);
    if (branch === undefined) return;
    this.#root.delete(value);
    this.#size -= this.#depth === 1 ? 1 : count(branch as Node<V>, this.#depth - 1);
  }

  *entries(): Generator<[readonly string[], V]> {
    if (this.#depth === 0) {
      if (this.#single !== undefined) yield [[], this.#single];
    } else yield* walk<V>(this.#root, this.#depth, []);
  }
}

function count<V>(node: Node<V>, depth: number): number {
  if (depth === 1) return node.size;
  let total = 0;
  for (const next of node.values()) total += count(next as Node<V>, depth - 1);
  return total;
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
