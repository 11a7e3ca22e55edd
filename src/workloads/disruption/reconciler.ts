import type { Pod } from '../../model/generated/core-v1.ts';
import type { PodDisruptionBudget } from '../../model/generated/policy-v1.ts';
import { labelSelectorMatches, selectorMessage } from '../../model/object-label-selector.ts';
import type { ObjectSource } from '../../reader/object-source.ts';
import type { Client } from '../../reconcile/client.ts';
import type { EventRecorder, EventType } from '../../reconcile/events/recorder.ts';
import { isManaged } from '../../reconcile/managed.ts';
import { POD_DISRUPTION_BUDGETS, PODS } from '../../reconcile/resources.ts';
import type { WorkResult } from '../../reconcile/work-queue.ts';
import { ApiError } from '../../status/index.ts';
import { failedStatus } from './allowance.ts';
import { budgetStatus, dependsOnScale, disrupted, type Expected, expected } from './budget.ts';
import { expectedScale, type ScaleSources } from './expected-scale.ts';

export interface BudgetReconcilerOptions {
  readonly budgets: ObjectSource;
  readonly pods: ObjectSource;
  /** With a function that has its sources read, once they are needed. */
  readonly scales: ScaleSources & { readonly started: () => Promise<void> };
  readonly client: Pick<Client, 'update'>;
  readonly events: EventRecorder;
  readonly addAfter: (key: string, milliseconds: number) => void;
  readonly now: () => number;
}

/** Keeps the status of budgets. */
export class BudgetReconciler {
  readonly #options: BudgetReconcilerOptions;

  constructor(options: BudgetReconcilerOptions) {
    this.#options = options;
  }

  /** @throws ApiError */
  async reconcile(key: string): Promise<WorkResult> {
    const budget = this.#options.budgets.get(key) as PodDisruptionBudget | undefined;
    if (budget === undefined || !isManaged(budget.metadata ?? {})) return 'done';
    try {
      await this.#count(key, budget);
    } catch (error) {
      // An eviction has changed the status meanwhile: it must not be lost.
      if (error instanceof ApiError && error.code === 409) return 'requeue';
      await this.#fail(budget, error as Error);
    }
    return 'done';
  }

  async #count(key: string, budget: PodDisruptionBudget): Promise<void> {
    const { events, addAfter, now } = this.#options;
    const pods = this.#podsOf(budget);
    if (pods.length === 0) this.#report(budget, 'Normal', 'NoPods', 'No matching pods found');
    const counted = await this.#expected(budget, pods);
    const time = now();
    const going = disrupted(budget, pods, time);
    const { namespace } = budget.metadata ?? {};
    for (const pod of going.staying) {
      // The reference names the namespace twice.
      const message = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`;
      events.record(PODS, pod, 'Warning', 'NotDeleted', message);
    }
    const status = budgetStatus(budget, pods, counted, going, time);
    if (status !== undefined) await this.#write({ ...budget, status });
    if (going.again !== undefined) addAfter(key, going.again);
  }

  async #expected(budget: PodDisruptionBudget, pods: readonly Pod[]): Promise<Expected> {
    if (!dependsOnScale(budget)) return expected(budget, pods.length);
    const { scales } = this.#options;
    try {
      await scales.started();
      const { pods: count, unmanaged } = await expectedScale(scales, pods);
      if (unmanaged.length > 0) this.#report(budget, 'Warning', 'UnmanagedPods', unmanagedText(budget));
      return expected(budget, count);
    } catch (error) {
      const message = `Failed to calculate the number of expected pods: ${(error as Error).message}`;
      this.#report(budget, 'Warning', 'CalculateExpectedPodCountFailed', message);
      throw error;
    }
  }

  /** A budget that cannot be counted allows nothing. */
  async #fail(budget: PodDisruptionBudget, { message }: Error): Promise<void> {
    const { status: before = {} } = budget;
    const status = failedStatus(before, message, this.#options.now());
    const isSaid =
      JSON.stringify([before.disruptionsAllowed, before.conditions]) ===
      JSON.stringify([0, status.conditions]);
    if (!isSaid) await this.#write({ ...budget, status });
  }

  async #write(budget: PodDisruptionBudget): Promise<void> {
    await this.#options.client.update(POD_DISRUPTION_BUDGETS, budget, { subresource: 'status' });
  }

  #podsOf({ metadata, spec }: PodDisruptionBudget): readonly Pod[] {
    const found: Pod[] = [];
    for (const [, pod] of this.#options.pods.entries(metadata?.namespace))
      if (labelSelectorMatches(spec?.selector, pod.metadata().labels)) found.push(pod.object as Pod);
    return found;
  }

  #report(budget: PodDisruptionBudget, type: EventType, reason: string, message: string): void {
    this.#options.events.record(POD_DISRUPTION_BUDGETS, budget, type, reason, message);
  }
}

const unmanagedText = ({ spec }: PodDisruptionBudget): string =>
  `Pods selected by this PodDisruptionBudget (selector: ${selectorMessage(spec?.selector ?? {})}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.`;
