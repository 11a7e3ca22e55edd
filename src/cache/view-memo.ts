/** A derived form of a record (its JSON in a version, its table cells), in the chain of its owner's. */
interface Memo {
  readonly chain: MemoChain;
  readonly form: string;
  readonly value: unknown;
  readonly bytes: number;
  used: boolean;
  next: Memo | undefined;
}

/**
 * The forms of one owner. Memos refer to this and not to the owner: a record that has been replaced must not
 * live (with its stored bytes, which no bound counts) as long as its last memo.
 */
interface MemoChain {
  first: Memo | undefined;
}

/**
 * Anything that forms are kept for. An owner has few of them: a chain is searched faster than a map of
 * objects.
 */
export class EncodingOwner {
  /** For {@link EncodingCache} alone. */
  memoChain: MemoChain | undefined;
}

/**
 * Memoised forms of records, all sharing one bound on bytes. Those not used since the last sweep are evicted
 * first. At the bound, making a form costs its encoding again; nothing else changes.
 */
export class EncodingCache {
  readonly #queue = new Set<Memo>();
  #bytes = 0;

  /** @param capacity most bytes kept */
  constructor(readonly capacity: number) {}

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * The form of `owner` named `form`, made by `make` on first use. Its value must not refer to the owner.
   * @param keep false for a form that isn't worth its memory
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
 * Joins parts in memory of their own. A form in Node's buffer pool would keep several times its own size
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
