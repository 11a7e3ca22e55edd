import type { Pod } from '../../model/generated/core-v1.ts';
import type {
  ResourceClaim,
  ResourceClaimConsumerReference,
} from '../../model/generated/resource-v1beta1.ts';
import { isDone } from './pod-claims.ts';

/** Keeps a claim with devices until they are given back. */
const FINALIZER = 'resource.kubernetes.io/delete-protection';

/** What has to be written of a claim. */
export interface Release {
  /** The claim with its changed status; undefined if that stays as it is. */
  readonly status?: ResourceClaim;
  /** Whether the finalizer is to be taken away after that. */
  readonly isFree: boolean;
  /** Whether nobody uses the claim any more. */
  readonly isUnused: boolean;
}

/**
 * Takes the users of a claim away that are gone or done; with the last one its devices are given back.
 * @param pod the pod of a name in the namespace of the claim
 * @throws Error for a user that is no pod
 */
export function planRelease(claim: ResourceClaim, pod: (name: string) => Pod | undefined): Release {
  const { status = {}, metadata = {} } = claim;
  const { reservedFor = [], ...rest } = status;
  const users = reservedFor.filter((user) => isUser(user, pod));
  const isProtected = metadata.finalizers?.includes(FINALIZER) === true;
  const isUnused = users.length === 0;
  if (users.length < reservedFor.length) {
    const { allocation, ...unallocated } = rest;
    const isGivenBack = isUnused && isProtected;
    const kept = isGivenBack || allocation === undefined ? unallocated : { ...unallocated, allocation };
    const changed = isUnused ? kept : { ...kept, reservedFor: users };
    return { status: { ...claim, status: changed }, isFree: isProtected && kept === unallocated, isUnused };
  }
  if (!isProtected || metadata.deletionTimestamp === undefined || !isUnused)
    return { isFree: false, isUnused };
  if (status.allocation === undefined) return { isFree: true, isUnused };
  const { allocation: _, ...unallocated } = status;
  return { status: { ...claim, status: unallocated }, isFree: true, isUnused };
}

function isUser(
  { apiGroup = '', resource, name = '', uid }: ResourceClaimConsumerReference,
  pod: (name: string) => Pod | undefined,
): boolean {
  if (apiGroup !== '' || resource !== 'pods')
    throw new Error(`unsupported ReservedFor entry: ${JSON.stringify({ apiGroup, resource, name, uid })}`);
  const user = pod(name);
  return user !== undefined && user.metadata?.uid === uid && !isDone(user);
}

/** A claim without the finalizer that has kept it for its devices. */
export const withoutProtection = (claim: ResourceClaim): ResourceClaim => ({
  ...claim,
  metadata: {
    ...claim.metadata,
    finalizers: (claim.metadata?.finalizers ?? []).filter((one) => one !== FINALIZER),
  },
});
