import type { PersistentVolumeClaim, Pod } from '../../model/generated/core-v1.ts';

/**
 * The claims that the pods of a namespace use. Only a pod that has a node uses any: a kubelet starts no pod
 * whose claim is being deleted. The claim of an ephemeral volume is used until the kubelet has ended the pod,
 * or somebody deleted it by force.
 */
export class ClaimsInUse {
  readonly #claims = new Set<string>();

  add(pod: Pod): void {
    if (!mayUseClaims(pod)) return;
    const { name: podName, uid } = pod.metadata ?? {};
    for (const { name, persistentVolumeClaim, ephemeral } of pod.spec?.volumes ?? []) {
      if (persistentVolumeClaim?.claimName !== undefined) this.#claims.add(persistentVolumeClaim.claimName);
      if (ephemeral !== undefined && !isShutDown(pod)) this.#claims.add(madeFor(`${podName}-${name}`, uid));
    }
  }

  has({ metadata }: PersistentVolumeClaim): boolean {
    const { name = '', ownerReferences = [] } = metadata ?? {};
    const owner = ownerReferences.find(({ controller }) => controller === true);
    return this.#claims.has(name) || (owner !== undefined && this.#claims.has(madeFor(name, owner.uid)));
  }
}

/**
 * A claim of a pod's ephemeral volume counts as the pod's own only where the pod controls it. No name of a
 * claim has a slash.
 */
const madeFor = (claim: string, pod: string | undefined): string => `${claim}/${pod}`;

/** Whether what becomes of the pod matters to a claim. */
export const mayUseClaims = ({ spec }: Pod): boolean =>
  Boolean(spec?.nodeName) &&
  (spec?.volumes ?? []).some(
    ({ persistentVolumeClaim, ephemeral }) => persistentVolumeClaim !== undefined || ephemeral !== undefined,
  );

const isShutDown = ({ metadata }: Pod): boolean =>
  metadata?.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0;
