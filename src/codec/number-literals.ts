/**
 * Number literals that JavaScript values cannot distinguish: `5.0` and `1e3` are refused for integers, but
 * are parsed as 5 and 1000. Parsers record such literals here, separately from the tree; typed decoding looks
 * them up. Trees without such literals have no entry.
 */
export type NumberLiterals = ReadonlyMap<object, ReadonlyMap<string, string>>;

const noted = new WeakMap<object, NumberLiterals>();

/** Maximum recorded literals of one document; further ones are treated as whole numbers. */
const maximumNotes = 10_000;

/** Collects literals while one document is parsed. */
export class LiteralRecorder {
  private readonly containers = new Map<object, Map<string, string>>();
  private count = 0;

  /** Records that the member (or item, by decimal index) of `container` was written as `literal`. */
  add(container: object, key: string, literal: string): void {
    if (++this.count > maximumNotes) return;
    const known = this.containers.get(container);
    if (known) known.set(key, literal);
    else this.containers.set(container, new Map([[key, literal]]));
  }

  /** Removes a member that a later duplicate replaced. */
  remove(container: object, key: string): void {
    this.containers.get(container)?.delete(key);
  }

  attachTo(root: unknown): void {
    if (this.containers.size > 0 && typeof root === 'object' && root !== null)
      noted.set(root, this.containers);
  }
}

/** The literals recorded for the root of a parsed document; undefined for nearly all documents. */
export function literalsOf(root: unknown): NumberLiterals | undefined {
  return typeof root === 'object' && root !== null ? noted.get(root) : undefined;
}

/** Records the literals of a parsed document for a container inside it, which is used on its own from now on. */
export function shareLiterals(root: object, part: object): void {
  const literals = noted.get(root);
  if (literals !== undefined) noted.set(part, literals);
}
