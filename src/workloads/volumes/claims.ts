import type { PersistentVolume, PersistentVolumeClaim } from '../../model/generated/core-v1.ts';
import { isManaged } from '../../reconcile/managed.ts';
import type { SelectableNode } from '../../reconcile/nodes/node-selector.ts';
import { annotationOf, SELECTED_NODE } from '../../reconcile/volumes/annotations.ts';
import { unboundStatus } from './binding.ts';
import { type ClaimPlan, planClaim } from './claim-plan.ts';
import { planProvisioning, withMigration } from './provisioning.ts';
import { normal, warning } from './report.ts';
import type { VolumeSettings } from './settings.ts';
import { provisionedName, simulatedVolume } from './simulated-volume.ts';
import type { StoredObjects } from './stored-objects.ts';
import type { VolumeWriter } from './writer.ts';

export interface ClaimReconcilerOptions {
  readonly stored: StoredObjects;
  readonly writer: VolumeWriter;
  readonly settings: VolumeSettings;
  readonly node: (name: string) => SelectableNode | undefined;
}

type Make = Extract<ReturnType<typeof planProvisioning>, { does: 'make' }>;

/** Binds claims to volumes, and has volumes made for them. */
export class ClaimReconciler {
  readonly #options: ClaimReconcilerOptions;

  constructor(options: ClaimReconcilerOptions) {
    this.#options = options;
  }

  /** @returns whether the claim has to be looked at again later @throws ApiError, Error */
  async reconcile(key: string): Promise<boolean> {
    const { stored, writer } = this.#options;
    const found = stored.claim(key);
    if (found === undefined || !isManaged(found.metadata ?? {})) return false;
    const claim = await writer.claim(found, withMigration(found));
    await this.#carryOut(claim, await this.#plan(key, claim));
    const phase = stored.claim(key)?.status?.phase;
    return phase !== undefined && phase !== 'Bound' && phase !== 'Lost';
  }

  async #plan(key: string, claim: PersistentVolumeClaim): Promise<ClaimPlan> {
    const { stored } = this.#options;
    const plan = planClaim(claim, stored);
    if (plan.does !== 'lose' || claim.status?.phase === 'Lost') return plan;
    // Another client may have made the volume before it bound the claim.
    await stored.volumes.caughtUp();
    return planClaim(stored.claim(key) ?? claim, stored);
  }

  async #carryOut(claim: PersistentVolumeClaim, plan: ClaimPlan): Promise<void> {
    const { writer } = this.#options;
    const status = claim.status ?? {};
    switch (plan.does) {
      case 'bind':
        if (isManaged(plan.volume.metadata ?? {})) await writer.bind(plan.volume, claim);
        return;
      case 'wait':
        if (plan.report !== undefined) writer.reportClaim(claim, plan.report);
        await writer.claimStatus(claim, unboundStatus(status, 'Pending'));
        return;
      case 'lose':
        if (status.phase === 'Lost') return;
        await writer.claimStatus(claim, unboundStatus(status, 'Lost'));
        writer.reportClaim(claim, plan.report);
        return;
      case 'assign': {
        const { storageClass: storageClassName } = plan;
        await writer.claim(claim, { ...claim, spec: { ...claim.spec, storageClassName } });
        return;
      }
      case 'provision':
        await this.#provision(claim, plan);
    }
  }

  async #provision(
    claim: PersistentVolumeClaim,
    { storageClass }: Extract<ClaimPlan, { does: 'provision' }>,
  ): Promise<void> {
    const { writer, settings } = this.#options;
    const plan = planProvisioning(claim, storageClass, settings);
    if (plan.does === 'ask') await writer.claim(claim, plan.claim);
    if (plan.does === 'ask' || plan.does === 'report') writer.reportClaim(claim, plan.report);
    if (plan.does === 'make') await this.#make(await writer.claim(claim, plan.claim), plan);
  }

  async #make(claim: PersistentVolumeClaim, { storageClass }: Make): Promise<void> {
    const { stored, writer, node } = this.#options;
    const name = provisionedName(claim);
    if (stored.volume(name) !== undefined) return;
    const failed = (problem: string): void =>
      writer.reportClaim(claim, warning('ProvisioningFailed', problem));
    const selected = annotationOf(claim.metadata, SELECTED_NODE);
    const target = selected === undefined ? undefined : node(selected);
    if (selected !== undefined && target === undefined) {
      failed(`Failed to get target node: node "${selected}" not found`);
      return;
    }
    const volume: PersistentVolume = simulatedVolume(claim, storageClass, target);
    try {
      await writer.create(volume);
    } catch (error) {
      const { namespace, name: claimName } = claim.metadata ?? {};
      failed(
        `Error creating provisioned PV object for claim ${namespace}/${claimName}: ${(error as Error).message}. Deleting the volume.`,
      );
      throw error;
    }
    const succeeded = `Successfully provisioned volume ${name} using ${storageClass.provisioner}`;
    writer.reportClaim(claim, normal('ProvisioningSucceeded', succeeded));
  }
}
