import type {
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimStatus,
} from '../../model/generated/core-v1.ts';
import type { Client } from '../../reconcile/client.ts';
import type { EventRecorder } from '../../reconcile/events/recorder.ts';
import { CLAIMS, VOLUMES } from '../../reconcile/resources.ts';
import { reserveVolume } from '../../reconcile/volumes/reserve-volume.ts';
import { ApiError } from '../../status/index.ts';
import { boundClaim, boundStatus, unboundVolume } from './binding.ts';
import type { Report } from './report.ts';

/** Writes volumes and claims; what is so already is not written. Each method returns the object as it is now. */
export class VolumeWriter {
  readonly #client: Pick<Client, 'create' | 'update' | 'delete'>;
  readonly #events: EventRecorder;

  constructor(client: Pick<Client, 'create' | 'update' | 'delete'>, events: EventRecorder) {
    this.#client = client;
    this.#events = events;
  }

  reportClaim(claim: PersistentVolumeClaim, { type, reason, message }: Report): void {
    this.#events.record(CLAIMS, claim, type, reason, message);
  }

  reportVolume(volume: PersistentVolume, { type, reason, message }: Report): void {
    this.#events.record(VOLUMES, volume, type, reason, message);
  }

  /**
   * Binds a volume and a claim to each other: the volume first, so that no other claim gets it.
   * @throws ApiError, after which the next attempt goes on where this one ended
   */
  async bind(volume: PersistentVolume, claim: PersistentVolumeClaim): Promise<void> {
    const reserved = await this.volume(volume, reserveVolume(volume, claim));
    const bound = await this.enter(reserved, 'Bound');
    const named = await this.claim(claim, boundClaim(claim, bound));
    await this.claimStatus(named, boundStatus(named.status ?? {}, bound));
  }

  /** A volume is free again, or waits for the claim that a user chose for it. @throws ApiError */
  async unbind(volume: PersistentVolume): Promise<void> {
    await this.enter(await this.volume(volume, unboundVolume(volume)), 'Available');
  }

  async claim(stored: PersistentVolumeClaim, claim: PersistentVolumeClaim): Promise<PersistentVolumeClaim> {
    return claim === stored ? stored : ((await this.#client.update(CLAIMS, claim)) as PersistentVolumeClaim);
  }

  async claimStatus(claim: PersistentVolumeClaim, status: PersistentVolumeClaimStatus): Promise<void> {
    if (status !== claim.status)
      await this.#client.update(CLAIMS, { ...claim, status }, { subresource: 'status' });
  }

  async volume(stored: PersistentVolume, volume: PersistentVolume): Promise<PersistentVolume> {
    return volume === stored ? stored : ((await this.#client.update(VOLUMES, volume)) as PersistentVolume);
  }

  /** @param message why it entered the phase */
  async enter(volume: PersistentVolume, phase: string, message?: string): Promise<PersistentVolume> {
    if (volume.status?.phase === phase) return volume;
    const { message: _, ...status } = volume.status ?? {};
    const changed = { ...volume, status: { ...status, phase, ...(message !== undefined && { message }) } };
    return (await this.#client.update(VOLUMES, changed, { subresource: 'status' })) as PersistentVolume;
  }

  /** Creates a volume. One that exists already was made for the same claim. */
  async create(volume: PersistentVolume): Promise<void> {
    try {
      await this.#client.create(VOLUMES, volume);
    } catch (error) {
      if (!(error instanceof ApiError && error.reason === 'AlreadyExists')) throw error;
    }
  }

  /** Deletes this volume, no other one of its name. */
  async delete({ metadata }: PersistentVolume): Promise<void> {
    try {
      const preconditions = { uid: metadata?.uid };
      await this.#client.delete(VOLUMES, '', metadata?.name ?? '', { preconditions });
    } catch (error) {
      if (!(error instanceof ApiError && (error.code === 404 || error.code === 409))) throw error;
    }
  }
}
