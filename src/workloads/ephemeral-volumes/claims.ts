import type { PersistentVolumeClaim, Pod } from '../../model/generated/core-v1.ts';
import type { Owner } from '../../reconcile/pods/pod-control.ts';
import { controllerReference } from '../../reconcile/pods/pod-control.ts';
import { PODS } from '../../reconcile/resources.ts';
import { ephemeralClaimName, foreignClaim } from '../../reconcile/volumes/pod-claims.ts';

/** What happens to an ephemeral volume of a pod that has no claim of its own yet. */
export interface MissingClaim {
  readonly volume: string;
  /** The claim to be made, or why the pod cannot have one. */
  readonly claim: PersistentVolumeClaim | string;
}

/** Whether a pod has ephemeral volumes. */
export const hasEphemeralVolumes = ({ spec }: Pod): boolean =>
  spec?.volumes?.some(({ ephemeral }) => ephemeral !== undefined) === true;

/**
 * The claims that the ephemeral volumes of a pod lack, in the order of the volumes.
 * @param stored the claim of a name in the namespace of the pod
 */
export function* missingClaims(
  pod: Pod,
  stored: (name: string) => PersistentVolumeClaim | undefined,
): Generator<MissingClaim, void> {
  const { namespace = '', name = '', uid = '' } = pod.metadata ?? {};
  for (const { name: volume = '', ephemeral } of pod.spec?.volumes ?? []) {
    if (ephemeral === undefined) continue;
    const claimName = ephemeralClaimName(name, volume);
    const claim = stored(claimName);
    const problem = claim && foreignClaim({ namespace, name, uid }, claim);
    if (problem !== undefined) yield { volume, claim: problem };
    if (claim !== undefined) continue;
    const owner: Owner = { resource: PODS, object: pod };
    const { metadata, spec } = ephemeral.volumeClaimTemplate ?? {};
    yield {
      volume,
      claim: {
        metadata: {
          name: claimName,
          namespace,
          ...(metadata?.labels && { labels: metadata.labels }),
          ...(metadata?.annotations && { annotations: metadata.annotations }),
          ownerReferences: [controllerReference(owner)],
        },
        ...(spec && { spec }),
      },
    };
  }
}
