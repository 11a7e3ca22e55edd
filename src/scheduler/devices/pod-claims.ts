import type { ResourceClaim } from '../../model/generated/resource-v1beta1.ts';
import type { PendingPod } from '../objects/pending-pod.ts';
import type { DeviceView } from './device-view.ts';

/** The claims of a pod that need devices, or why it has to wait. A template that made no claim needs none. */
export function podClaims(
  pod: PendingPod,
  devices: Pick<DeviceView, 'claim'>,
): readonly ResourceClaim[] | string {
  const { info, resourceClaims, resourceClaimStatuses } = pod;
  const claims: ResourceClaim[] = [];
  for (const { name, resourceClaimName, resourceClaimTemplateName } of resourceClaims) {
    const generated = resourceClaimStatuses.find((status) => status.name === name);
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined)
      return `pod "${info.namespace}/${info.name}", spec.resourceClaim "${name}": none of the supported fields are set`;
    if (resourceClaimName === undefined && generated === undefined)
      return `pod "${info.namespace}/${info.name}": ResourceClaim not created yet`;
    const claimName = resourceClaimName ?? generated?.resourceClaimName;
    if (claimName === undefined) continue;
    const claim = devices.claim(info.namespace, claimName);
    if (claim === undefined) return `could not find ResourceClaim "${info.namespace}/${claimName}"`;
    if (claim.metadata?.deletionTimestamp !== undefined)
      return `resourceclaim "${claimName}" is being deleted`;
    if (resourceClaimName === undefined && !isControlledBy(claim, info.uid))
      return `ResourceClaim ${info.namespace}/${claimName} was not created for pod ${info.namespace}/${info.name} (pod is not owner)`;
    claims.push(claim);
  }
  return claims;
}

const isControlledBy = ({ metadata }: ResourceClaim, uid: string): boolean =>
  metadata?.ownerReferences?.some((owner) => owner.controller === true && owner.uid === uid) === true;
