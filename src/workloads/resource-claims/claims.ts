import type { Pod } from '../../model/generated/core-v1.ts';
import type { ResourceClaim } from '../../model/generated/resource-v1beta1.ts';
import type { KubernetesObject } from '../../model/object.ts';
import type { IndexedSource } from '../../reader/object-source.ts';
import type { Client, Resource } from '../../reconcile/client.ts';
import { controllerOf } from '../../reconcile/indexes.ts';
import { ignoreSettledErrors } from '../../reconcile/settled-errors.ts';
import { isDone } from './pod-claims.ts';
import { planRelease, withoutProtection } from './release.ts';

export interface ClaimReconcilerOptions {
  /** The resource of claims. */
  readonly resource: Resource;
  readonly pods: IndexedSource;
  readonly client: Pick<Client, 'update' | 'delete'>;
}

/** Frees claims whose users are gone, and deletes those that were made for a pod that is done. */
export class ClaimReconciler {
  readonly #options: ClaimReconcilerOptions;

  constructor(options: ClaimReconcilerOptions) {
    this.#options = options;
  }

  /** @throws ApiError, Error for a user that is no pod */
  async reconcile(claim: ResourceClaim): Promise<void> {
    const { namespace = '' } = claim.metadata ?? {};
    const pod = (name: string): Pod | undefined =>
      this.#options.pods.get(`${namespace}/${name}`) as Pod | undefined;
    let release = planRelease(claim, pod);
    if (release.status !== undefined) {
      // Another server may have scheduled a pod that is not known here yet.
      await this.#options.pods.caughtUp();
      release = planRelease(claim, pod);
    }
    let current = claim;
    if (release.status !== undefined) current = await this.#update(release.status, 'status');
    if (release.isFree) await this.#update(withoutProtection(current));
    if (release.isUnused) await this.#deleteUnneeded(claim, pod);
  }

  async #update(claim: ResourceClaim, subresource?: string): Promise<ResourceClaim> {
    const target = subresource === undefined ? {} : { subresource };
    return (await this.#options.client.update(
      this.#options.resource,
      claim as KubernetesObject,
      target,
    )) as ResourceClaim;
  }

  /** The claim of a pod that is gone is left to garbage collection. */
  async #deleteUnneeded(
    { metadata = {} }: ResourceClaim,
    pod: (name: string) => Pod | undefined,
  ): Promise<void> {
    const owner = controllerOf(metadata);
    if (owner?.kind !== 'Pod' || owner.apiVersion !== 'v1') return;
    const owning = pod(owner.name);
    if (owning === undefined || (owning.metadata?.uid === owner.uid && !isDone(owning))) return;
    const { namespace = '', name = '', uid } = metadata;
    await ignoreSettledErrors(
      this.#options.client.delete(this.#options.resource, namespace, name, { preconditions: { uid } }),
    );
  }
}
