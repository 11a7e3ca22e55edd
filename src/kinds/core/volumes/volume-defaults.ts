import type {
  DownwardAPIVolumeFile,
  PersistentVolumeClaimSpec,
  Volume,
} from '../../../model/generated/core-v1.ts';
import { roundResourceList } from '../../validation/quantities.ts';
import { defaultPullPolicy } from '../pods/image-reference.ts';

const FILE_MODE = 0o644;

const setFieldVersions = (items: readonly DownwardAPIVolumeFile[] | undefined): void => {
  for (const { fieldRef } of items ?? []) if (fieldRef !== undefined) fieldRef.apiVersion ||= 'v1';
};

/** Sets the defaults of a volume; without a source it becomes an `emptyDir`. */
export function setVolumeDefaults(volume: Volume): void {
  const { name: _name, ...sources } = volume;
  if (Object.values(sources).every((source) => source === undefined)) volume.emptyDir = {};
  if (volume.secret) volume.secret.defaultMode ??= FILE_MODE;
  if (volume.configMap) volume.configMap.defaultMode ??= FILE_MODE;
  if (volume.downwardAPI) {
    volume.downwardAPI.defaultMode ??= FILE_MODE;
    setFieldVersions(volume.downwardAPI.items);
  }
  if (volume.projected) {
    volume.projected.defaultMode ??= FILE_MODE;
    for (const { serviceAccountToken, downwardAPI } of volume.projected.sources ?? []) {
      if (serviceAccountToken) serviceAccountToken.expirationSeconds ??= 3600;
      setFieldVersions(downwardAPI?.items);
    }
  }
  if (volume.image) volume.image.pullPolicy ||= defaultPullPolicy(volume.image.reference);
  if (volume.hostPath) volume.hostPath.type ??= '';
  if (volume.iscsi) volume.iscsi.iscsiInterface ||= 'default';
  if (volume.rbd) {
    volume.rbd.pool ||= 'rbd';
    volume.rbd.user ||= 'admin';
    volume.rbd.keyring ||= '/etc/ceph/keyring';
  }
  if (volume.azureDisk) {
    volume.azureDisk.cachingMode ??= 'ReadWrite';
    volume.azureDisk.kind ??= 'Shared';
    volume.azureDisk.fsType ??= 'ext4';
    volume.azureDisk.readOnly ??= false;
  }
  if (volume.scaleIO) {
    volume.scaleIO.storageMode ||= 'ThinProvisioned';
    volume.scaleIO.fsType ||= 'xfs';
  }
  const claim = volume.ephemeral?.volumeClaimTemplate;
  if (claim) {
    claim.spec ??= {};
    setClaimSpecDefaults(claim.spec);
  }
}

/** Sets the defaults of the specification of a claim or claim template. */
export function setClaimSpecDefaults(spec: PersistentVolumeClaimSpec): void {
  spec.volumeMode ??= 'Filesystem';
  roundResourceList(spec.resources?.limits);
  roundResourceList(spec.resources?.requests);
}
