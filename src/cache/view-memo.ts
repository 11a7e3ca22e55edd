/** A derived form of a record (its JSON in a version, its table cells), in the chain of its owner's. */
interface Memo {
  readonly owner: MemoOwner;
  readonly form: string;
  readonly value: unknown;
  readonly bytes: number;
  used: boolean;
  next: Memo | undefined;
}

/** What forms are kept for. An owner has few of them: they hang on it in a chain, which is found faster than any map of objects. */
export class MemoOwner {
  /** For {@link ViewMemo} alone. */
  memos: Memo | undefined;
}

/**
 * Memoised forms of records, all sharing one bound on bytes. The ones not used since the last sweep go first.
 * At the bound, making a form costs its encoding again; nothing else changes.
 */
export class ViewMemo {
  readonly #queue = new Set<Memo>();
  #bytes = 0;

  /** @param capacity bytes kept at most */
  constructor(readonly capacity: number) {}

  get bytes(): number {
    return this.#bytes;
  }

  /** The form of `owner` named `form`, made by `make` on first use. @param keep false for one that isn't worth its memory */
  get<T>(owner: MemoOwner, form: string, make: () => { value: T; bytes: number }, keep = true): T {
    for (let known = owner.memos; known !== undefined; known = known.next) {
      if (known.form !== form) continue;
      known.used = true;
      return known.value as T;
    }
    const { value, bytes } = make();
    if (!keep || bytes > this.capacity / 4) return value;
    const memo: Memo = { owner, form, value, bytes: bytes + 150, used: false, next: owner.memos };
    owner.memos = memo;
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
      unchain(memo);
      this.#bytes -= memo.bytes;
    }
  }
}

function unchain(memo: Memo): void {
  const { owner } = memo;
  if (owner.memos === memo) {
    owner.memos = memo.next;
    return;
  }
  for (let before = owner.memos; before !== undefined; before = before.next) if (before.next === memo) before.next = memo.next;
}

/** Parts joined in memory of their own: a form that is kept would keep alive, as a piece of Node's pool, several times its own size. */
export function joinToKeep(...parts: readonly Uint8Array[]): Buffer {
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
