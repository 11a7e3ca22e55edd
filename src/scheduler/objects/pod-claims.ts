import type { PodSpec } from '../../model/generated/core-v1.ts';

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
  for (const { name, persistentVolumeClaim, ephemeral } of volumes) {
    if (persistentVolumeClaim === undefined && ephemeral === undefined) continue;
    found ??= [];
    found.push(
      persistentVolumeClaim !== undefined
        ? { name: persistentVolumeClaim.claimName ?? '', isEphemeral: false }
        : { name: `${podName}-${name}`, isEphemeral: true },
    );
  }
  return found ?? NONE;
}
