import type { PersistentVolume } from '../../model/generated/core-v1.ts';

/** A secret that a kubelet needs to mount a volume. */
export interface SecretReference {
  readonly namespace: string;
  readonly name: string;
}

type Named = { readonly name?: string; readonly namespace?: string } | undefined;

/**
 * The secrets by which a node mounts a volume that is bound to a claim; those that only controllers need are
 * not among them.
 */
export function volumeSecrets({ spec = {} }: PersistentVolume): SecretReference[] {
  const claimNamespace = spec.claimRef?.namespace ?? '';
  const found: SecretReference[] = [];
  const see = (reference: Named) => {
    const namespace = reference?.namespace || claimNamespace;
    if (reference?.name && namespace !== '') found.push({ namespace, name: reference.name });
  };
  if (spec.azureFile !== undefined)
    see({
      ...(spec.azureFile.secretName === undefined ? {} : { name: spec.azureFile.secretName }),
      namespace: spec.azureFile.secretNamespace ?? '',
    });
  for (const source of [
    spec.cephfs,
    spec.cinder,
    spec.flexVolume,
    spec.rbd,
    spec.scaleIO,
    spec.iscsi,
    spec.storageos,
  ])
    see(source?.secretRef as Named);
  for (const reference of [
    spec.csi?.nodePublishSecretRef,
    spec.csi?.nodeStageSecretRef,
    spec.csi?.nodeExpandSecretRef,
  ])
    see(reference);
  return found;
}
