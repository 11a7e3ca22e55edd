/** A derived form of a record (its JSON in a version, its table cells). */
interface Memo { readonly owner: Map<string, Memo>; readonly form: string; readonly value: unknown; readonly bytes: number; used: boolean }

/**
 * Memoised forms of records, all sharing one bound on bytes. The ones not used since the last sweep go first.
 * At the bound, making a form costs its encoding again; nothing else changes.
 */
export class ViewMemo {
  readonly #queue = new Set<Memo>();
  readonly #memos = new WeakMap<object, Map<string, Memo>>();
  #bytes = 0;

  /** @param capacity bytes kept at most */
  constructor(readonly capacity: number) {}

  get bytes(): number {
    return this.#bytes;
  }

  /** The form of `owner` named `form`, made by `make` on first use. */
  get<T>(owner: object, form: string, make: () => { value: T; bytes: number }): T {
    let memos = this.#memos.get(owner);
    const known = memos?.get(form);
    if (known !== undefined) {
      known.used = true;
      return known.value as T;
    }
    const { value, bytes } = make();
    if (bytes > this.capacity / 4) return value;
    if (memos === undefined) this.#memos.set(owner, (memos = new Map()));
    const memo: Memo = { owner: memos, form, value, bytes: bytes + 150, used: false };
    memos.set(form, memo);
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
      memo.owner.delete(memo.form);
      this.#bytes -= memo.bytes;
    }
  }
}
