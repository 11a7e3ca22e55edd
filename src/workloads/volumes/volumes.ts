import type { PersistentVolume } from '../../model/generated/core-v1.ts';
import { isManaged } from '../../reconcile/managed.ts';
import { planReclaim } from './reclaim.ts';
import type { VolumeSettings } from './settings.ts';
import type { StoredObjects } from './stored-objects.ts';
import { planVolume, settledVolume, type VolumePlan, withoutStorage } from './volume-plan.ts';
import type { VolumeWriter } from './writer.ts';

export interface VolumeReconcilerOptions {
  readonly stored: StoredObjects;
  readonly writer: VolumeWriter;
  readonly settings: VolumeSettings;
  /** Looks at a claim soon. */
  readonly bindClaim: (key: string) => void;
}

/** Phases of a volume whose claim is gone. */
const RELEASED: readonly (string | undefined)[] = ['Released', 'Failed'];

/** Keeps the phases of volumes, and does with those whose claims are gone what their reclaim policy says. */
export class VolumeReconciler {
  readonly #options: VolumeReconcilerOptions;

  constructor(options: VolumeReconcilerOptions) {
    this.#options = options;
  }

  /** @returns whether the volume has to be looked at again later @throws ApiError */
  async reconcile(name: string): Promise<boolean> {
    const { stored, writer, bindClaim } = this.#options;
    const found = stored.volume(name);
    if (found === undefined || !isManaged(found.metadata ?? {})) return false;
    const volume = await writer.volume(found, settledVolume(found));
    const plan = await this.#plan(volume);
    switch (plan.does) {
      case 'enter':
        await writer.enter(volume, plan.phase);
        return false;
      case 'unbind':
        await writer.unbind(volume);
        return false;
      case 'bindClaim': {
        const { namespace, name: claim } = volume.spec?.claimRef ?? {};
        bindClaim(`${namespace}/${claim}`);
        return false;
      }
      case 'refuse': {
        const claim = stored.claimOf(volume);
        writer.reportVolume(volume, plan.report);
        if (claim !== undefined) writer.reportClaim(claim, plan.claimReport);
        return true;
      }
      case 'release':
        return this.#reclaim(
          RELEASED.includes(volume.status?.phase) ? volume : await writer.enter(volume, 'Released'),
        );
    }
  }

  async #plan(volume: PersistentVolume): Promise<VolumePlan> {
    const { stored } = this.#options;
    const plan = planVolume(volume, stored.claimOf(volume));
    if (plan.does !== 'release' || RELEASED.includes(volume.status?.phase)) return plan;
    // Another client may have made the claim before it bound the volume.
    await stored.claims.caughtUp();
    return planVolume(volume, stored.claimOf(volume));
  }

  /** @returns whether it has to be tried again */
  async #reclaim(volume: PersistentVolume): Promise<boolean> {
    const { stored, writer, settings } = this.#options;
    const users = stored.claimOf(volume) === undefined ? stored.usersOf(volume) : [];
    const reclaim = planReclaim(volume, { simulates: settings.simulates, users });
    switch (reclaim.does) {
      case 'nothing':
        return false;
      case 'report':
        writer.reportVolume(volume, reclaim.report);
        return true;
      case 'recycle':
        writer.reportVolume(volume, reclaim.report);
        await writer.unbind(volume);
        return false;
      case 'delete': {
        const free = await writer.volume(volume, withoutStorage(volume));
        if (free.metadata?.deletionTimestamp === undefined) await writer.delete(free);
        return false;
      }
      case 'fail':
        if (volume.status?.phase !== 'Failed')
          writer.reportVolume(await writer.enter(volume, 'Failed', reclaim.report.message), reclaim.report);
        return true;
    }
  }
}
