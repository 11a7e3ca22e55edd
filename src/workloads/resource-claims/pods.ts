import type { Pod, PodResourceClaim } from '../../model/generated/core-v1.ts';
import type { ResourceClaim, ResourceClaimTemplate } from '../../model/generated/resource-v1beta1.ts';
import type { KubernetesObject } from '../../model/object.ts';
import type { IndexedSource } from '../../reader/object-source.ts';
import type { Client, Resource } from '../../reconcile/client.ts';
import { BY_CONTROLLER } from '../../reconcile/indexes.ts';
import { isOutcomeUnknown } from '../../reconcile/own-writes.ts';
import { PODS } from '../../reconcile/resources.ts';
import {
  claimOfTemplate,
  entryClaim,
  isMadeFor,
  isMadeForEntry,
  needsReservation,
  reservedFor,
  usedClaims,
} from './pod-claims.ts';

/** Owner of the statuses of claims in Pods. */
const FIELD_MANAGER = 'ResourceClaimController';

export interface PodReconcilerOptions {
  /** The resource of claims. */
  readonly resource: Resource;
  readonly claims: IndexedSource;
  readonly templates: IndexedSource;
  readonly client: Pick<Client, 'create' | 'update' | 'apply'>;
  readonly allowsAdminAccess: boolean;
  /** Reports why the claim of an entry could not be made. */
  readonly failed: (pod: Pod, message: string) => void;
}

/** Makes the claims that pods ask for, and reserves claims for pods that got a node without the scheduler. */
export class PodReconciler {
  readonly #options: PodReconcilerOptions;

  constructor(options: PodReconcilerOptions) {
    this.#options = options;
  }

  /** @throws ApiError, Error if a claim cannot be made yet */
  async reconcile(pod: Pod): Promise<void> {
    const made = await this.#makeClaims(pod);
    // The written status has the pod looked at again; the scheduler reserves for pods that get a node by it.
    if (made.size > 0) return this.#writeStatuses(pod, made);
    if (!pod.spec?.nodeName) return;
    const { namespace = '' } = pod.metadata ?? {};
    for (const name of usedClaims(pod)) {
      const claim = this.#claim(namespace, name);
      if (claim === undefined) return;
      if (needsReservation(claim, pod))
        await this.#options.client.update(
          this.#options.resource,
          reservedFor(claim, pod) as KubernetesObject,
          {
            subresource: 'status',
          },
        );
    }
  }

  /** @returns names of claims by entry, for those that the pod does not know yet */
  async #makeClaims(pod: Pod): Promise<ReadonlyMap<string, string>> {
    const made = new Map<string, string>();
    for (const entry of pod.spec?.resourceClaims ?? []) {
      try {
        const name = await this.#makeClaim(pod, entry);
        if (name !== undefined) made.set(entry.name ?? '', name);
      } catch (error) {
        this.#options.failed(pod, `PodResourceClaim ${entry.name}: ${(error as Error).message}`);
        throw error;
      }
    }
    return made;
  }

  async #makeClaim(pod: Pod, entry: PodResourceClaim): Promise<string | undefined> {
    const { claims, templates, client, allowsAdminAccess } = this.#options;
    const { namespace = '', uid = '' } = pod.metadata ?? {};
    const templateName = entry.resourceClaimTemplateName;
    const known = entryClaim(pod, entry);
    if (known.is === 'none' || templateName === undefined) return undefined;
    if (known.is === 'named') {
      const claim = this.#claim(namespace, known.name);
      if (claim !== undefined && isMadeFor(claim, pod)) return undefined;
    }
    // The status of the pod may not have been written after an earlier attempt.
    for (const [, { object }] of claims.find(BY_CONTROLLER, uid))
      if (isMadeForEntry(object as ResourceClaim, entry)) return object.metadata?.name;
    const template = templates.get(`${namespace}/${templateName}`) as ResourceClaimTemplate | undefined;
    if (template === undefined)
      throw new Error(
        `resource claim template "${templateName}": resourceclaimtemplate.resource.k8s.io "${templateName}" not found`,
      );
    const claim = claimOfTemplate(pod, entry, template, allowsAdminAccess);
    try {
      return (await client.create(this.#options.resource, claim as KubernetesObject)).metadata?.name;
    } catch (error) {
      // The reference has the name here that the claim does not have yet.
      throw isOutcomeUnknown(error) ? error : new Error(`create ResourceClaim : ${(error as Error).message}`);
    }
  }

  /** An apply with less than all statuses would take the others away. */
  async #writeStatuses({ metadata, status }: Pod, made: ReadonlyMap<string, string>): Promise<void> {
    const others = (status?.resourceClaimStatuses ?? []).filter(({ name = '' }) => !made.has(name));
    const added = Array.from(made, ([name, resourceClaimName]) => ({ name, resourceClaimName }));
    const { namespace = '', name = '' } = metadata ?? {};
    await this.#options.client.apply(
      PODS,
      { metadata: { namespace, name }, status: { resourceClaimStatuses: [...others, ...added] } },
      FIELD_MANAGER,
      { subresource: 'status' },
    );
  }

  #claim(namespace: string, name: string): ResourceClaim | undefined {
    return this.#options.claims.get(`${namespace}/${name}`) as ResourceClaim | undefined;
  }
}
