import type { ControllerDeclaration } from '../reconcile/declaration.ts';
import { CLAIMS, VOLUMES } from '../reconcile/resources.ts';
import type { VolumeSettings } from './volumes/settings.ts';

/** What the controllers of volumes take besides their context. */
export interface StorageControllerNeeds {
  readonly volumes: VolumeSettings;
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
] as const satisfies readonly ControllerDeclaration<StorageControllerNeeds>[];
