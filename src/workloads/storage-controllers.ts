import type { ControllerDeclaration } from '../reconcile/declaration.ts';
import { ANY_DEVICE_RESOURCE, type DeviceResources } from '../reconcile/devices.ts';
import { CLAIMS, PODS, VOLUMES } from '../reconcile/resources.ts';
import type { VolumeSettings } from './volumes/settings.ts';

/** What the controllers of volumes and of claims take besides their context. */
export interface StorageControllerNeeds {
  readonly volumes: VolumeSettings;
  /** Pods at the same time. */
  readonly ephemeralVolumeWorkers: number;
  readonly devices: DeviceResources;
  /** Whether requests for devices may use those that others have. */
  readonly allowsAdminAccess: boolean;
}

/** The controllers of volumes and claims, in the order in which they start. */
export const STORAGE_CONTROLLERS = [
  {
    name: 'persistentvolume-binder-controller',
    alias: 'persistentvolume-binder',
    does: 'binds claims to volumes, has volumes made for storage classes, and reclaims those of claims that are gone',
    account: 'persistent-volume-binder',
    wakesFor: [CLAIMS, VOLUMES],
    async create(parts, { volumes }) {
      const { volumeController } = await import('./volumes/controller.ts');
      return volumeController(parts, volumes);
    },
  },
  {
    name: 'ephemeral-volume-controller',
    alias: 'ephemeral-volume',
    does: 'makes the claims of the ephemeral volumes of Pods',
    account: 'ephemeral-volume-controller',
    wakesFor: [PODS],
    async create(parts, { ephemeralVolumeWorkers }) {
      const { ephemeralVolumeController } = await import('./ephemeral-volumes/controller.ts');
      return ephemeralVolumeController(parts, ephemeralVolumeWorkers);
    },
  },
  {
    name: 'resourceclaim-controller',
    alias: 'resource-claim-controller',
    does: 'makes the resource claims that Pods ask for by templates, and frees claims that no Pod uses any more',
    account: 'resource-claim-controller',
    wakesFor: ANY_DEVICE_RESOURCE,
    async create(parts, { devices, allowsAdminAccess }) {
      const { resourceClaimController } = await import('./resource-claims/controller.ts');
      return resourceClaimController(parts, devices, allowsAdminAccess);
    },
  },
] as const satisfies readonly ControllerDeclaration<StorageControllerNeeds>[];
