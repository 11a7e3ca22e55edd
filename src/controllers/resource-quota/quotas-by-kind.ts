import { type CountedKind, kindKey } from '../../quota/counted.ts';

const NO_QUOTAS: ReadonlySet<string> = new Set();

interface Counted {
  readonly kind: CountedKind;
  /** Keys of the quotas. */
  readonly quotas: Set<string>;
}

/** The keys of the quotas that count each kind. */
export class QuotasByKind {
  readonly #byKind = new Map<string, Counted>();

  of(kind: CountedKind): ReadonlySet<string> {
    return this.#byKind.get(kindKey(kind))?.quotas ?? NO_QUOTAS;
  }

  /** All kinds that quotas count. */
  get kinds(): CountedKind[] {
    return [...this.#byKind.values()].map(({ kind }) => kind);
  }

  /** @param key of the quota */
  add(key: string, kinds: readonly CountedKind[]): void {
    for (const kind of kinds) {
      const known = this.#byKind.get(kindKey(kind));
      if (known === undefined) this.#byKind.set(kindKey(kind), { kind, quotas: new Set([key]) });
      else known.quotas.add(key);
    }
  }

  /** @returns the kinds that no quota counts any more */
  remove(key: string, kinds: readonly CountedKind[]): CountedKind[] {
    return kinds.filter((kind) => {
      const quotas = this.#byKind.get(kindKey(kind))?.quotas;
      if (quotas?.delete(key) !== true || quotas.size > 0) return false;
      this.#byKind.delete(kindKey(kind));
      return true;
    });
  }
}
