import type { ResourceClaim } from '../../model/generated/resource-v1beta1.ts';

/** What can be done about claims of a pod that no node suits. */
export interface ClaimRelease {
  readonly message: string;
  /** A claim whose devices are given back, so that others can be chosen. */
  readonly claim?: ResourceClaim;
}

/**
 * Looks for a claim whose devices are on the wrong nodes and that nobody else uses.
 * @param unavailable claims whose devices cannot be used on some of the nodes; undefined if the pod has no claims
 */
export function releaseClaim(
  podUid: string,
  unavailable: ReadonlySet<ResourceClaim> | undefined,
): ClaimRelease {
  if (unavailable === undefined) return { message: 'no new claims to deallocate' };
  for (const claim of unavailable) {
    const users = claim.status?.reservedFor ?? [];
    if (users.every(({ uid }) => uid === podUid) && users.length <= 1)
      return { message: 'deallocation of ResourceClaim completed', claim };
  }
  return { message: 'still not schedulable' };
}
