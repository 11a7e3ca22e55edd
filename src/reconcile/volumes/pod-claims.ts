import type { PersistentVolumeClaim, Pod, PodSpec } from '../../model/generated/core-v1.ts';
import type { ObjectIndex } from '../../reader/object-source.ts';
import { controllerOf } from '../indexes.ts';

/** The name of the claim that is made for an ephemeral volume of a pod. */
export const ephemeralClaimName = (pod: string, volume: string): string => `${pod}-${volume}`;

/** Why the claim of an ephemeral volume does not belong to a pod of its namespace; undefined if it does. */
export function foreignClaim(
  { namespace, name, uid }: { readonly namespace: string; readonly name: string; readonly uid: string },
  { metadata = {} }: PersistentVolumeClaim,
): string | undefined {
  if (controllerOf(metadata)?.uid === uid) return undefined;
  return `PVC ${namespace}/${metadata.name} was not created for pod ${namespace}/${name} (pod is not owner)`;
}

/** A claim of a volume that a pod uses. */
export interface NamedClaim {
  readonly name: string;
  /** The claim was made for the pod, which has to control it. */
  readonly isEphemeral: boolean;
}

const NONE: readonly NamedClaim[] = [];

/** The claims of a pod's volumes, in their order. An ephemeral volume's is named after pod and volume. */
export function claimNames(podName: string, { volumes = [] }: PodSpec): readonly NamedClaim[] {
  let found: NamedClaim[] | undefined;
  for (const { name = '', persistentVolumeClaim, ephemeral } of volumes) {
    if (persistentVolumeClaim === undefined && ephemeral === undefined) continue;
    found ??= [];
    found.push(
      persistentVolumeClaim !== undefined
        ? { name: persistentVolumeClaim.claimName ?? '', isEphemeral: false }
        : { name: ephemeralClaimName(podName, name), isEphemeral: true },
    );
  }
  return found ?? NONE;
}

/** Pods by the claims of their volumes, `namespace/name`. */
export const PODS_BY_CLAIM: ObjectIndex = (object) => {
  const { metadata, spec } = object.peek() as Pod;
  return claimNames(metadata?.name ?? '', spec ?? {}).map(({ name }) => `${metadata?.namespace}/${name}`);
};
