/**
 * Number literals that JavaScript values cannot tell apart: `5.0` and `1e3` are refused where an integer
 * belongs, but arrive as 5 and 1000. A parser that meets such a literal notes it here, beside the tree; typed
 * decoding asks for it. Trees without any have no entry.
 */
export type NumberLiterals = ReadonlyMap<object, ReadonlyMap<string, string>>;

const noted = new WeakMap<object, NumberLiterals>();

/** No more literals of one document are noted; further ones are read as the whole numbers that they are. */
const maximumNotes = 10_000;

/** Collects literals while one document is parsed. */
export class LiteralNotes {
  private readonly containers = new Map<object, Map<string, string>>();
  private count = 0;

  /** Notes that the member (or item, by decimal index) of `container` was written as `literal`. */
  add(container: object, key: string, literal: string): void {
    if (++this.count > maximumNotes) return;
    const known = this.containers.get(container);
    if (known) known.set(key, literal);
    else this.containers.set(container, new Map([[key, literal]]));
  }

  /** Forgets a member that a later duplicate replaced. */
  remove(container: object, key: string): void {
    this.containers.get(container)?.delete(key);
  }

  attachTo(root: unknown): void {
    if (this.containers.size > 0 && typeof root === 'object' && root !== null)
      noted.set(root, this.containers);
  }
}

/** The literals noted for a parsed document, by its root; undefined for nearly all documents. */
export function literalsOf(root: unknown): NumberLiterals | undefined {
  return typeof root === 'object' && root !== null ? noted.get(root) : undefined;
}
