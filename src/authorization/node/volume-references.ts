import type { PersistentVolume } from '../../model/generated/core-v1.ts';

/** Reference to a secret that a kubelet needs to mount a volume. */
export interface SecretReference {
  readonly namespace: string;
  readonly name: string;
}

type Named = { readonly name?: string; readonly namespace?: string } | undefined;

/**
 * The secrets that a node needs to mount a bound volume, without those that only controllers need.
 */
export function volumeSecrets({ spec = {} }: PersistentVolume): SecretReference[] {
  const claimNamespace = spec.claimRef?.namespace ?? '';
  const found: SecretReference[] = [];
  const add = (reference: Named) => {
    const namespace = reference?.namespace || claimNamespace;
    if (reference?.name && namespace !== '') found.push({ namespace, name: reference.name });
  };
  if (spec.azureFile !== undefined)
    add({
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
    add(source?.secretRef as Named);
  for (const reference of [
    spec.csi?.nodePublishSecretRef,
    spec.csi?.nodeStageSecretRef,
    spec.csi?.nodeExpandSecretRef,
  ])
    add(reference);
  return found;
}
