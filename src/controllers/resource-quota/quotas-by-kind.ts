import type { CountedKind } from '../../quota/counted.ts';
import { kindKey } from './counted-objects.ts';

const NO_QUOTAS: ReadonlySet<string> = new Set();

/** The keys of the quotas that count each kind. */
export class QuotasByKind {
  readonly #byKind = new Map<string, Set<string>>();

  of(kind: CountedKind): ReadonlySet<string> {
    return this.#byKind.get(kindKey(kind)) ?? NO_QUOTAS;
  }

  /** All kinds that quotas count. */
  get kinds(): CountedKind[] {
    return [...this.#byKind.keys()].map((key) => {
      const slash = key.indexOf('/');
      return { group: key.slice(0, slash), resource: key.slice(slash + 1) };
    });
  }

  /** @param key of the quota */
  add(key: string, kinds: readonly CountedKind[]): void {
    for (const kind of kinds) {
      const known = this.#byKind.get(kindKey(kind));
      if (known === undefined) this.#byKind.set(kindKey(kind), new Set([key]));
      else known.add(key);
    }
  }

  /** @returns the kinds that no quota counts any more */
  remove(key: string, kinds: readonly CountedKind[]): CountedKind[] {
    return kinds.filter((kind) => {
      const known = this.#byKind.get(kindKey(kind));
      if (known?.delete(key) !== true || known.size > 0) return false;
      this.#byKind.delete(kindKey(kind));
      return true;
    });
  }
}
