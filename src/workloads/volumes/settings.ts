import type { ProvisioningSettings } from './provisioning.ts';

/** Settings of the controller that binds volumes. */
export interface VolumeSettings extends ProvisioningSettings {
  /** Milliseconds after which a claim without volume, or a volume that cannot be deleted, is looked at again. */
  readonly syncPeriod: number;
}
