/** A derived form of a record (its JSON in a version, its table cells), in a linked list per owner. */
interface Memo {
  readonly chain: MemoChain;
  readonly form: string;
  readonly value: unknown;
  readonly bytes: number;
  used: boolean;
  next: Memo | undefined;
}

/** A new form and the bytes that it occupies. */
export interface Made<T> {
  readonly value: T;
  readonly bytes: number;
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

function find({ memoChain }: EncodingOwner, form: string): Memo | undefined {
  let known = memoChain?.first;
  while (known !== undefined && known.form !== form) known = known.next;
  return known;
}

/** {@link find} for a reader of the form: it is kept at the next sweep. */
function use(owner: EncodingOwner, form: string): Memo | undefined {
  const known = find(owner, form);
  if (known !== undefined) known.used = true;
  return known;
}

/**
 * Memoizes derived forms of records, with one bound on bytes for all. Forms not used since the last sweep are
 * evicted first and encoded again on demand.
 */
export class EncodingCache {
  readonly #queue = new Set<Memo>();
  /** Forms that are being made. */
  readonly #making = new Map<EncodingOwner, Map<string, Promise<unknown>>>();
  #bytes = 0;

  /** @param capacity maximum bytes */
  constructor(readonly capacity: number) {}

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether the form is there already. */
  has(owner: EncodingOwner, form: string): boolean {
    return find(owner, form) !== undefined;
  }

  /**
   * Returns the form of `owner` named `form`, created with `make` on first use. Its value must not refer to
   * the owner.
   * @param keep false for a form that is not worth caching
   */
  get<T>(owner: EncodingOwner, form: string, make: () => Made<T>, keep = true): T {
    const known = use(owner, form);
    if (known !== undefined) return known.value as T;
    const made = make();
    if (keep) this.#keep(owner, form, made);
    return made.value;
  }

  /**
   * {@link get} for a form that takes long to make, which is made once for all that ask for it meanwhile.
   * @param make may fail for one request only: another one that waits then makes the form itself
   */
  async getLater<T>(owner: EncodingOwner, form: string, make: () => Promise<Made<T>>): Promise<T> {
    const known = use(owner, form);
    if (known !== undefined) return known.value as T;
    const making = this.#making.get(owner)?.get(form) as Promise<Made<T>> | undefined;
    if (making === undefined) return this.#make(owner, form, make);
    const made = await making.catch(() => undefined);
    return made === undefined ? this.getLater(owner, form, make) : made.value;
  }

  async #make<T>(owner: EncodingOwner, form: string, make: () => Promise<Made<T>>): Promise<T> {
    const forms = this.#making.get(owner) ?? new Map<string, Promise<unknown>>();
    this.#making.set(owner, forms);
    const making = make();
    forms.set(form, making);
    try {
      const made = await making;
      this.#keep(owner, form, made);
      return made.value;
    } finally {
      forms.delete(form);
      if (forms.size === 0) this.#making.delete(owner);
    }
  }

  #keep(owner: EncodingOwner, form: string, { value, bytes }: Made<unknown>): void {
    if (bytes > this.capacity / 4) return;
    owner.memoChain ??= { first: undefined };
    const chain = owner.memoChain;
    const memo: Memo = { chain, form, value, bytes: bytes + 150, used: false, next: chain.first };
    chain.first = memo;
    this.#queue.add(memo);
    this.#bytes += memo.bytes;
    if (this.#bytes > this.capacity) this.#evict();
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
