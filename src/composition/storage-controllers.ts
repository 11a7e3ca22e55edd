import type { FeatureGates } from '../options/feature-gates.ts';
import type { OptionSlice } from '../options/flags/table.ts';
import type { DeviceResources } from '../reconcile/devices.ts';
import type { StorageControllerNeeds } from '../workloads/storage-controllers.ts';

/** Flags of kube-controller-manager that the controllers of volumes take. */
type StorageControllerOptions = OptionSlice<
  'concurrentEphemeralvolumeSyncs' | 'enableDynamicProvisioning' | 'pvclaimbinderSyncPeriod'
>;

/** The settings of the controllers of volumes. @param simulates whether nodes are simulated */
export const storageControllerSettings = (
  {
    concurrentEphemeralvolumeSyncs,
    enableDynamicProvisioning,
    pvclaimbinderSyncPeriod,
  }: StorageControllerOptions,
  gates: FeatureGates,
  devices: DeviceResources,
  simulates: boolean,
): StorageControllerNeeds => ({
  volumes: {
    syncPeriod: pvclaimbinderSyncPeriod,
    provisions: enableDynamicProvisioning,
    simulates,
  },
  ephemeralVolumeWorkers: concurrentEphemeralvolumeSyncs,
  devices,
  allowsAdminAccess: gates.enabled('DRAAdminAccess'),
});
