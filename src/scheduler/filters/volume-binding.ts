import type { PersistentVolumeClaim } from '../../model/generated/core-v1.ts';
import { wantedBytes } from '../../reconcile/volumes/matching-volume.ts';
import { foreignClaim } from '../../reconcile/volumes/pod-claims.ts';
import type { PodInfo } from '../objects/pod-info.ts';
import { claimNotFound, isFullyBound, waitsForConsumer } from '../volumes/claims.ts';
import { planVolumes, type SortedClaims } from '../volumes/volume-plan.ts';
import type { VolumeView } from '../volumes/volume-view.ts';
import { DOES_NOT_APPLY, impossible, type Rejection, type Rule } from './filter.ts';

/** Volumes of bound claims must be usable on the node; claims that wait for the pod need a volume there. */
export const volumeBinding: Rule = ({ info }, { volumes }) => {
  if (info.claims.length === 0) return DOES_NOT_APPLY;
  const claims = sortClaims(info, volumes);
  if (typeof claims === 'string') return { rejection: impossible('VolumeBinding', claims) };
  const known = new Map<string, Rejection>();
  return {
    check: {
      rule: 'VolumeBinding',
      check({ info: node }) {
        const result = planVolumes(claims, node!, volumes);
        if ('plan' in result) return undefined;
        const key = result.reasons.join();
        let rejection = known.get(key);
        if (rejection === undefined) {
          rejection = impossible('VolumeBinding', ...result.reasons);
          known.set(key, rejection);
        }
        return rejection;
      },
    },
  };
};

/** The claims of a pod, or why it cannot be scheduled. */
export function sortClaims(pod: PodInfo, volumes: VolumeView): SortedClaims | string {
  const bound: PersistentVolumeClaim[] = [];
  const waiting: PersistentVolumeClaim[] = [];
  let isUnbound = false;
  for (const { name, isEphemeral } of pod.claims) {
    const claim = volumes.claim(pod.namespace, name);
    const problem = claimProblem(pod, name, isEphemeral, claim);
    if (problem !== undefined) return problem;
    if (isFullyBound(claim!)) bound.push(claim!);
    else if ((claim!.spec?.volumeName ?? '') === '' && waitsForConsumer(claim!, volumes))
      waiting.push(claim!);
    else isUnbound = true;
  }
  if (isUnbound) return 'pod has unbound immediate PersistentVolumeClaims';
  return { bound, waiting: waiting.sort((left, right) => wantedBytes(left) - wantedBytes(right)) };
}

function claimProblem(
  pod: PodInfo,
  name: string,
  isEphemeral: boolean,
  claim: PersistentVolumeClaim | undefined,
): string | undefined {
  if (claim === undefined)
    return isEphemeral
      ? `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`
      : claimNotFound(name);
  if (claim.status?.phase === 'Lost')
    return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${claim.spec?.volumeName ?? ''}"`;
  if (claim.metadata?.deletionTimestamp !== undefined)
    return `persistentvolumeclaim "${name}" is being deleted`;
  return isEphemeral ? foreignClaim(pod, claim) : undefined;
}
