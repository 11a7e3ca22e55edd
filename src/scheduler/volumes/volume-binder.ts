import type { PersistentVolume, PersistentVolumeClaim } from '../../model/generated/core-v1.ts';
import type { Client } from '../../reconcile/client.ts';
import type { SelectableNode } from '../../reconcile/nodes/node-selector.ts';
import { CLAIMS, VOLUMES } from '../../reconcile/resources.ts';
import { annotationOf, SELECTED_NODE } from '../../reconcile/volumes/annotations.ts';
import { isUsableOn } from '../../reconcile/volumes/matching-volume.ts';
import type { ProcessClock } from '../../time/clock.ts';
import { isFullyBound } from './claims.ts';
import type { StoredVolumes } from './stored-volumes.ts';
import { changedObjects } from './volume-changes.ts';
import type { VolumePlan } from './volume-plan.ts';

/** How long the volumes of a pod may take, in milliseconds. */
const LONGEST_WAIT = 600_000;

export interface VolumeBinderOptions {
  readonly client: Pick<Client, 'update'>;
  readonly volumes: StoredVolumes;
  readonly clock: Pick<ProcessClock, 'after'>;
  /** A node that is known. */
  readonly node: (name: string) => SelectableNode | undefined;
  /** Whether a pod is still there. @param key `namespace/name` */
  readonly hasPod: (key: string) => boolean;
}

/** A pod whose volumes are not all bound. */
interface Wait {
  readonly pod: string;
  readonly node: string;
  readonly plan: VolumePlan;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Writes what was decided about the volumes of pods, and waits until others have bound or made them. */
export class VolumeBinder {
  readonly #options: VolumeBinderOptions;
  readonly #waits = new Set<Wait>();

  constructor(options: VolumeBinderOptions) {
    this.#options = options;
    const { volumes } = options;
    for (const source of [volumes.claims, volumes.volumes]) source.onChange(() => this.changed());
  }

  /** What the plan says is true from now on, for other pods. @returns the plan with the changed objects */
  assume(plan: VolumePlan, node: string): VolumePlan {
    const changed = changedObjects(plan, node);
    for (const { volume } of changed.bindings) this.#options.volumes.assumeVolume(volume);
    for (const claim of changed.provisioned) this.#options.volumes.assumeClaim(claim);
    return changed;
  }

  /** The plan was given up. What was written of it stays. */
  forget({ bindings, provisioned }: VolumePlan): void {
    for (const { volume } of bindings) this.#options.volumes.forgetVolume(volume);
    for (const claim of provisioned) this.#options.volumes.forgetClaim(claim);
  }

  /**
   * Resolves when all volumes of a plan are bound. @param plan with the changed objects
   * @throws ApiError, Error if the plan cannot be carried out
   */
  async bind(pod: string, node: string, plan: VolumePlan): Promise<void> {
    const { client, clock } = this.#options;
    for (const { volume } of plan.bindings) await client.update(VOLUMES, volume);
    for (const claim of plan.provisioned) await client.update(CLAIMS, claim);
    await new Promise<void>((resolve, reject) => {
      const wait: Wait = { pod, node, plan, resolve, reject };
      const cancel = clock.after(LONGEST_WAIT, () => {
        this.#waits.delete(wait);
        reject(new Error('binding volumes: context deadline exceeded'));
      });
      const settled = (settle: () => void) => () => {
        cancel();
        settle();
      };
      this.#waits.add({
        ...wait,
        resolve: settled(resolve),
        reject: (error) => settled(() => reject(error))(),
      });
      this.changed();
    });
  }

  /** A claim, volume or pod has changed. */
  changed(): void {
    for (const wait of this.#waits) {
      try {
        if (!this.#isBound(wait)) continue;
        this.#waits.delete(wait);
        wait.resolve();
      } catch (error) {
        this.#waits.delete(wait);
        wait.reject(error as Error);
      }
    }
  }

  /** Nobody waits any more. */
  stop(): void {
    for (const { reject } of this.#waits) reject(new Error('the scheduler stops'));
    this.#waits.clear();
  }

  /** @throws Error if the pod has to be scheduled again */
  #isBound({ pod, node: name, plan }: Wait): boolean {
    const fail = (problem: string): never => {
      throw new Error(`binding volumes: ${problem}`);
    };
    const { volumes, hasPod, node: find } = this.#options;
    const node = find(name) ?? fail(`failed to get node "${name}": node "${name}" not found`);
    if (!hasPod(pod)) fail('pod does not exist any more');
    const usable = (volume: PersistentVolume): void => {
      if (!isUsableOn(volume, node))
        fail(
          `pv "${volume.metadata?.name}" node affinity doesn't match node "${name}": no matching NodeSelectorTerms`,
        );
    };
    const current = ({ metadata }: PersistentVolumeClaim): PersistentVolumeClaim =>
      volumes.claim(metadata?.namespace ?? '', metadata?.name ?? '') ??
      fail(`could not find v1.PersistentVolumeClaim "${metadata?.namespace}/${metadata?.name}"`);
    let isBound = true;
    for (const binding of plan.bindings) {
      const volumeName = binding.volume.metadata?.name ?? '';
      const volume = volumes.volume(volumeName) ?? fail(`could not find v1.PersistentVolume "${volumeName}"`);
      usable(volume);
      if ((volume.spec?.claimRef?.uid ?? '') === '') fail(`ClaimRef got reset for pv "${volumeName}"`);
      isBound &&= isFullyBound(current(binding.claim));
    }
    for (const planned of plan.provisioned) {
      const claim = current(planned);
      if (annotationOf(claim.metadata, SELECTED_NODE) !== name)
        fail(`provisioning failed for PVC "${claim.metadata?.name}"`);
      const volume = volumes.volume(claim.spec?.volumeName ?? '');
      if (volume !== undefined) usable(volume);
      isBound &&= isFullyBound(claim) && volume !== undefined;
    }
    return isBound;
  }
}
