import type { PersistentVolumeClaim, Pod } from '../../model/generated/core-v1.ts';
import { ephemeralClaimName } from '../../reconcile/volumes/pod-claims.ts';

/**
 * The claims that pods of a namespace use. Only scheduled pods count: a kubelet does not start a pod whose
 * claim is terminating. The claim of an ephemeral volume is in use until the kubelet has stopped the pod or
 * it is force-deleted.
 */
export class ClaimsInUse {
  readonly #claims = new Set<string>();

  add(pod: Pod): void {
    if (!mayUseClaims(pod)) return;
    const { name: podName, uid } = pod.metadata ?? {};
    for (const { name, persistentVolumeClaim, ephemeral } of pod.spec?.volumes ?? []) {
      if (persistentVolumeClaim?.claimName !== undefined) this.#claims.add(persistentVolumeClaim.claimName);
      if (ephemeral !== undefined && !isShutDown(pod))
        this.#claims.add(ephemeralClaimKey(ephemeralClaimName(podName ?? '', name ?? ''), uid));
    }
  }

  has({ metadata }: PersistentVolumeClaim): boolean {
    const { name = '', ownerReferences = [] } = metadata ?? {};
    const owner = ownerReferences.find(({ controller }) => controller === true);
    return (
      this.#claims.has(name) || (owner !== undefined && this.#claims.has(ephemeralClaimKey(name, owner.uid)))
    );
  }
}

/**
 * Key of the claim of an ephemeral volume, which the pod must control. Claim names contain no slash.
 */
const ephemeralClaimKey = (claim: string, pod: string | undefined): string => `${claim}/${pod}`;

/** Whether a pod may use claims. */
export const mayUseClaims = ({ spec }: Pod): boolean =>
  Boolean(spec?.nodeName) &&
  (spec?.volumes ?? []).some(
    ({ persistentVolumeClaim, ephemeral }) => persistentVolumeClaim !== undefined || ephemeral !== undefined,
  );

const isShutDown = ({ metadata }: Pod): boolean =>
  metadata?.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0;
