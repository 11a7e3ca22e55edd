import type { AllocationResult, ResourceClaim } from '../../model/generated/resource-v1beta1.ts';
import type { KubernetesObject } from '../../model/object.ts';
import type { Client } from '../../reconcile/client.ts';
import { ApiError } from '../../status/index.ts';
import type { PodInfo } from '../objects/pod-info.ts';
import { allocationResult } from './allocation-result.ts';
import type { ClaimAllocation } from './allocator.ts';
import type { StoredDevices } from './stored-devices.ts';

const FINALIZER = 'resource.kubernetes.io/delete-protection';
/** Attempts to write a claim that others change at the same time. */
const MOST_ATTEMPTS = 5;

/** The claims of a pod on its node. */
export interface DevicePlan {
  readonly claims: readonly ResourceClaim[];
  /** For those of the claims that have no devices yet. */
  readonly allocations: readonly ClaimAllocation[];
}

const keyOf = ({ metadata }: ResourceClaim): string => `${metadata?.namespace}/${metadata?.name}`;
const isReservedFor = ({ status }: ResourceClaim, { uid }: PodInfo): boolean =>
  status?.reservedFor?.some((consumer) => consumer.uid === uid) === true;

/** Writes what was decided about the devices of pods. */
export class DeviceBinder {
  readonly #client: Pick<Client, 'get' | 'update' | 'patch'>;
  readonly #devices: StoredDevices;

  constructor(client: Pick<Client, 'get' | 'update' | 'patch'>, devices: StoredDevices) {
    this.#client = client;
    this.#devices = devices;
  }

  /** The devices of a plan are taken from now on. */
  assume({ allocations }: DevicePlan): void {
    for (const allocation of allocations) this.#devices.assume(allocation);
  }

  /** Writes allocations, and reserves all claims for the pod. @throws ApiError, Error if others were faster */
  async bind(pod: PodInfo, { claims, allocations }: DevicePlan): Promise<void> {
    for (const claim of claims) {
      if (isReservedFor(claim, pod)) continue;
      const allocation = allocations.find((one) => one.claim === claim);
      await this.#reserve(pod, claim, allocation && allocationResult(allocation));
      this.#devices.settle(claim.metadata?.uid ?? '');
    }
  }

  /** The pod does not use its claims after all. Allocations that were written stay. */
  async release(pod: PodInfo, { claims, allocations }: DevicePlan): Promise<void> {
    for (const { claim } of allocations) this.#devices.settle(claim.metadata?.uid ?? '');
    for (const { metadata } of claims) {
      const [namespace, name] = [metadata?.namespace ?? '', metadata?.name ?? ''];
      const current = this.#devices.claim(namespace, name);
      if (current?.status?.allocation === undefined || !isReservedFor(current, pod)) continue;
      const change = {
        metadata: { uid: metadata?.uid },
        status: { reservedFor: [{ $patch: 'delete', uid: pod.uid }] },
      };
      await this.#client.patch(this.#devices.resources.claims, namespace, name, change, {
        subresource: 'status',
        isStrategic: true,
      });
    }
  }

  /** Takes the devices of a claim back, so that others can be chosen. @throws ApiError */
  async deallocate(claim: ResourceClaim): Promise<void> {
    const { allocation: _, reservedFor: __, ...status } = claim.status ?? {};
    const changed: ResourceClaim = { ...claim, status };
    await this.#client.update(this.#devices.resources.claims, changed as KubernetesObject, {
      subresource: 'status',
    });
  }

  async #reserve(
    pod: PodInfo,
    first: ResourceClaim,
    allocation: AllocationResult | undefined,
  ): Promise<void> {
    let claim: ResourceClaim | undefined = first;
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#write(pod, claim, allocation);
        return;
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 409) || attempt === MOST_ATTEMPTS) throw error;
      }
      const { namespace = '', name = '' } = first.metadata ?? {};
      claim = (await this.#client.get(this.#devices.resources.claims, namespace, name)) as
        | ResourceClaim
        | undefined;
      if (claim === undefined) throw new Error(`claim ${keyOf(first)} got deleted in the meantime`);
    }
  }

  async #write(pod: PodInfo, stored: ResourceClaim, allocation: AllocationResult | undefined): Promise<void> {
    let claim = stored;
    if (claim.metadata?.deletionTimestamp !== undefined)
      throw new Error(`claim ${keyOf(claim)} got deleted in the meantime`);
    if (allocation !== undefined && claim.status?.allocation !== undefined)
      throw new Error(`claim ${keyOf(claim)} got allocated elsewhere in the meantime`);
    const { finalizers = [] } = claim.metadata ?? {};
    if (allocation !== undefined && !finalizers.includes(FINALIZER)) {
      const metadata = { ...claim.metadata, finalizers: [...finalizers, FINALIZER] };
      claim = await this.#update({ ...claim, metadata });
    }
    const consumer = { resource: 'pods', name: pod.name, uid: pod.uid };
    const status = {
      ...claim.status,
      ...(allocation && { allocation }),
      reservedFor: [...(claim.status?.reservedFor ?? []), consumer],
    };
    await this.#update({ ...claim, status }, 'status');
  }

  async #update(claim: ResourceClaim, subresource?: string): Promise<ResourceClaim> {
    const target = subresource === undefined ? {} : { subresource };
    return (await this.#client.update(
      this.#devices.resources.claims,
      claim as KubernetesObject,
      target,
    )) as ResourceClaim;
  }
}
