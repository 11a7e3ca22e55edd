import type { StoredQuota } from '../admission/listers.ts';
import type { CacheRecord } from '../cache/record.ts';
import type { ResourceQuota } from '../model/generated/core-v1.ts';
import type { KubernetesObject, ManagedFieldsEntry } from '../model/object.ts';
import { CorruptObjectError } from '../resources/corrupt-object.ts';
import type { Resources } from '../resources/resources.ts';
import type { ServedResource } from '../resources/served-resource.ts';
import type { MaybePromise } from '../steps/steps.ts';
import { prefixEnd } from '../storage/storage.ts';

/**
 * Returns the field owners of a quota after its usage was charged.
 * @param quota the quota with the new usage
 */
export type ChargeOwnership = (
  quotas: ServedResource,
  live: KubernetesObject,
  quota: KubernetesObject,
) => ManagedFieldsEntry[] | undefined;

/** Lists the resource quotas of a namespace for admission, with a function that updates their usage. */
export class QuotaLister {
  readonly #served: ServedResource;
  readonly #ownership: ChargeOwnership;
  /** Revision of the last update of a usage: admission counts on it. */
  #usedRevision = 0;

  constructor(resources: Resources, ownership: ChargeOwnership) {
    this.#served = resources.internal('', 'resourcequotas');
    this.#ownership = ownership;
  }

  list(namespace: string): MaybePromise<readonly StoredQuota[]> {
    const fresh = this.#served.stored.cache.waitFresh(this.#usedRevision);
    return fresh instanceof Promise ? fresh.then(() => this.#read(namespace)) : this.#read(namespace);
  }

  #read(namespace: string): readonly StoredQuota[] {
    const quotas: StoredQuota[] = [];
    const start = this.#served.stored.scope(namespace);
    this.#served.stored.cache.current().scan(start, prefixEnd(start), (record) => {
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
    const { stored } = this.#served;
    const owners = (live: KubernetesObject, charged: KubernetesObject) =>
      this.#ownership(this.#served, live, charged);
    const setUsedRevision = (revision: number) => {
      this.#usedRevision = Math.max(this.#usedRevision, revision);
    };
    try {
      const quota = stored.decode(record) as ResourceQuota;
      return {
        quota,
        async updateUsed(used) {
          const charged = { ...quota, metadata: { ...quota.metadata }, status: { ...quota.status, used } };
          const managedFields = owners(quota as KubernetesObject, charged as KubernetesObject);
          if (managedFields !== undefined) charged.metadata.managedFields = managedFields;
          const value = stored.codec.encode(charged as KubernetesObject);
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
