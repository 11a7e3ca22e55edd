import type { StoredQuota } from '../admission/listers.ts';
import type { CacheRecord } from '../cache/record.ts';
import type { ResourceQuota } from '../model/generated/core-v1.ts';
import { CorruptObjectError } from '../registry/corrupt-object.ts';
import type { Registry } from '../registry/registry.ts';
import type { StoredResource } from '../registry/stored-resource.ts';
import type { MaybePromise } from '../request/context.ts';
import { prefixEnd } from '../storage/storage.ts';

/** Lists the resource quotas of a namespace for admission, with a function that updates their usage. */
export class QuotaLister {
  readonly #stored: StoredResource;
  /** Revision of the last update of a usage: admission counts on it. */
  #usedRevision = 0;

  constructor(registry: Registry) {
    this.#stored = registry.internal('', 'resourcequotas').stored;
  }

  list(namespace: string): MaybePromise<readonly StoredQuota[]> {
    const fresh = this.#stored.cache.waitFresh(this.#usedRevision);
    return fresh instanceof Promise ? fresh.then(() => this.#read(namespace)) : this.#read(namespace);
  }

  #read(namespace: string): readonly StoredQuota[] {
    const quotas: StoredQuota[] = [];
    const start = this.#stored.scope(namespace);
    this.#stored.cache.current().scan(start, prefixEnd(start), (record) => {
      const quota = this.#open(record);
      if (quota !== undefined) quotas.push(quota);
      return undefined;
    });
    return quotas;
  }

  /**
   * Undefined for a corrupt quota, which limits nothing; reading it through the API reports the corruption.
   */
  #open(record: CacheRecord): StoredQuota | undefined {
    const stored = this.#stored;
    const setUsedRevision = (revision: number) => {
      this.#usedRevision = Math.max(this.#usedRevision, revision);
    };
    try {
      const quota = stored.decode(record) as ResourceQuota;
      return {
        quota,
        async updateUsed(used) {
          const value = stored.codec.encode({ ...quota, status: { ...quota.status, used } } as Parameters<
            typeof stored.codec.encode
          >[0]);
          const { succeeded, revision } = await stored.storage.transact({
            key: record.key,
            expected: record.revision,
            value,
          });
          setUsedRevision(revision);
          return succeeded;
        },
      };
    } catch (error) {
      if (error instanceof CorruptObjectError) return undefined;
      throw error;
    }
  }
}
