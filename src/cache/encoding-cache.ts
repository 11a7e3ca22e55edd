/** A derived form of a record (its JSON in a version, its table cells), in a linked list per owner. */
interface Memo {
  readonly chain: MemoChain;
  readonly form: string;
  readonly value: unknown;
  readonly bytes: number;
  used: boolean;
  next: Memo | undefined;
}

/**
 * The memos of one owner. Memos refer to this object and not to the owner, so that a replaced record and its
 * stored bytes, which are not counted, don't live as long as its last memo.
 */
interface MemoChain {
  first: Memo | undefined;
}

/** An object with cached forms. An owner has few of them: searching a linked list is faster than a map. */
export class EncodingOwner {
  /** Used by {@link EncodingCache} only. */
  memoChain: MemoChain | undefined;
}

/**
 * Memoizes derived forms of records, with one bound on bytes for all. Forms not used since the last sweep are
 * evicted first and encoded again on demand.
 */
export class EncodingCache {
  readonly #queue = new Set<Memo>();
  #bytes = 0;

  /** @param capacity maximum bytes */
  constructor(readonly capacity: number) {}

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether the form is there already. */
  has(owner: EncodingOwner, form: string): boolean {
    for (let known = owner.memoChain?.first; known !== undefined; known = known.next)
      if (known.form === form) return true;
    return false;
  }

  /**
   * Returns the form of `owner` named `form`, created with `make` on first use. Its value must not refer to
   * the owner.
   * @param keep false for a form that is not worth caching
   */
  get<T>(owner: EncodingOwner, form: string, make: () => { value: T; bytes: number }, keep = true): T {
    for (let known = owner.memoChain?.first; known !== undefined; known = known.next) {
      if (known.form !== form) continue;
      known.used = true;
      return known.value as T;
    }
    const { value, bytes } = make();
    if (!keep || bytes > this.capacity / 4) return value;
    owner.memoChain ??= { first: undefined };
    const chain = owner.memoChain;
    const memo: Memo = { chain, form, value, bytes: bytes + 150, used: false, next: chain.first };
    chain.first = memo;
    this.#queue.add(memo);
    this.#bytes += memo.bytes;
    if (this.#bytes > this.capacity) this.#evict();
    return value;
  }

  #evict(): void {
    for (const memo of this.#queue) {
      if (this.#bytes <= this.capacity * 0.9) return;
      this.#queue.delete(memo);
      if (memo.used) {
        memo.used = false;
        this.#queue.add(memo);
        continue;
      }
      unlink(memo);
      this.#bytes -= memo.bytes;
    }
  }
}

function unlink(memo: Memo): void {
  const { chain } = memo;
  if (chain.first === memo) {
    chain.first = memo.next;
    return;
  }
  for (let before = chain.first; before !== undefined; before = before.next)
    if (before.next === memo) before.next = memo.next;
}

/**
 * Concatenates parts in a buffer of its own. A form in Node's buffer pool would keep several times its size
 * alive.
 */
export function concatRetained(...parts: readonly Uint8Array[]): Buffer {
  let length = 0;
  for (const part of parts) length += part.length;
  const joined = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
