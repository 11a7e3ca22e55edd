import type { ControllerRevision, DaemonSet } from '../../model/generated/apps-v1.ts';
import type { Pod } from '../../model/generated/core-v1.ts';
import { labelSelectorMatches } from '../../model/object-label-selector.ts';
import type { IndexedSource } from '../../reader/object-source.ts';
import { claim } from '../../reconcile/claims.ts';
import type { Client } from '../../reconcile/client.ts';
import { isSame } from '../../reconcile/equality.ts';
import type { EventRecorder } from '../../reconcile/events/recorder.ts';
import { isManaged } from '../../reconcile/managed.ts';
import { isOutcomeUnknown } from '../../reconcile/own-writes.ts';
import { candidates, controlled } from '../../reconcile/owned.ts';
import { type Owner, PodControl } from '../../reconcile/pods/pod-control.ts';
import { isReady, untilAvailable } from '../../reconcile/pods/pod-state.ts';
import { DAEMON_SETS, PODS } from '../../reconcile/resources.ts';
import { isNamespaceTerminating } from '../../reconcile/settled-errors.ts';
import { slowStart } from '../../reconcile/slow-start.ts';
import { updateStatus } from '../../reconcile/status-update.ts';
import type { WorkQueue, WorkResult } from '../../reconcile/work-queue.ts';
import { ApiError } from '../../status/index.ts';
import { claimRevisions } from '../revisions/claim-revisions.ts';
import { deleteRevision } from '../revisions/write-revisions.ts';
import { daemonPod } from './daemon-pods.ts';
import { FailedPods } from './failed-pods.ts';
import type { NodePlaces } from './node-places.ts';
import { type ObservedDaemons, observe } from './observed.ts';
import { type DaemonPlan, plan } from './plan.ts';
import { writeCurrentRevision } from './revision-control.ts';
import { divide, expiredRevisions } from './revisions.ts';
import { daemonStatus } from './status.ts';

export interface ReconcilerOptions {
  readonly daemonSets: IndexedSource;
  readonly pods: IndexedSource;
  readonly revisions: IndexedSource;
  readonly places: NodePlaces;
  readonly client: Client;
  readonly events: EventRecorder;
  readonly queue: Pick<WorkQueue, 'addAfter'>;
  readonly now: () => number;
}

/** Brings DaemonSets nearer to what they want. */
export class DaemonReconciler {
  readonly #options: ReconcilerOptions;
  readonly #control: PodControl;
  readonly #failedPods: FailedPods;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    this.#control = new PodControl(options.client, options.events);
    this.#failedPods = new FailedPods(options.now);
  }

  async reconcile(key: string): Promise<WorkResult> {
    const daemonSet = this.#options.daemonSets.get(key) as DaemonSet | undefined;
    const { metadata = {} } = daemonSet ?? {};
    // The garbage collector may have deleted the revisions of one that is being deleted.
    if (daemonSet === undefined || metadata.deletionTimestamp !== undefined || !isManaged(metadata))
      return 'done';
    try {
      await this.#reconcile(key, daemonSet);
      return 'done';
    } catch (error) {
      // What was decided on has changed meanwhile.
      if (error instanceof ApiError && error.reason === 'Conflict') return 'requeue';
      throw error;
    }
  }

  async #reconcile(key: string, daemonSet: DaemonSet): Promise<void> {
    const { client, queue, now } = this.#options;
    const owner: Owner = { resource: DAEMON_SETS, object: daemonSet };
    const revisions = divide(daemonSet, await this.#claimRevisions(owner, daemonSet));
    const pods = await this.#claimPods(owner, daemonSet);
    const hash = await writeCurrentRevision(client, daemonSet, revisions, pods);
    if (hash === undefined) return;
    const planned = plan(this.#observe(daemonSet, hash));
    const errors = await this.#change(owner, daemonSet, hash, planned);
    if (errors.length === 0)
      for (const expired of expiredRevisions(
        daemonSet,
        revisions,
        controlled(this.#options.pods, daemonSet, selects),
      ))
        await deleteRevision(client, expired);
    const observed = this.#observe(daemonSet, hash);
    await this.#writeStatus(observed);
    if (errors.length > 0) throw errors.find(isOutcomeUnknown) ?? errors[0];
    const present = observed.pods.filter(isReady);
    const wait = untilAvailable(present, daemonSet.spec?.minReadySeconds ?? 0, now());
    if (wait !== undefined) queue.addAfter(key, wait);
    if (planned.again !== undefined) queue.addAfter(key, planned.again);
  }

  /** With the own writes. */
  #observe(daemonSet: DaemonSet, hash: string): ObservedDaemons {
    const { places, now } = this.#options;
    return observe({
      daemonSet,
      hash,
      nodes: places.all,
      pods: controlled(this.#options.pods, daemonSet, selects),
      untilReplaced: (node) => this.#failedPods.untilReplaced(failureKey(daemonSet, node)),
      now: now(),
    });
  }

  /** @returns errors of Pods that could not be created or deleted */
  async #change(
    owner: Owner,
    daemonSet: DaemonSet,
    hash: string,
    planned: DaemonPlan,
  ): Promise<readonly unknown[]> {
    const { events } = this.#options;
    for (const node of planned.failed) this.#failedPods.replaced(failureKey(daemonSet, node));
    for (const { type, reason, message } of planned.reports)
      events.record(DAEMON_SETS, daemonSet, type, reason, message);
    const { create } = planned;
    const created = await slowStart(create.length, (index) =>
      this.#control.create(owner, daemonPod(daemonSet, hash, create[index]!)),
    );
    const deleted = await Promise.allSettled(planned.delete.map((pod) => this.#control.delete(owner, pod)));
    return [
      ...created.errors.filter((error) => !isNamespaceTerminating(error)),
      ...deleted.flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])),
    ];
  }

  async #writeStatus(observed: ObservedDaemons): Promise<void> {
    const { daemonSet } = observed;
    const status = daemonStatus(observed);
    if (!isSame(status, daemonSet.status))
      await updateStatus(this.#options.client.writer(), DAEMON_SETS, daemonSet, (current) => ({
        ...current,
        status,
      }));
  }

  #claimRevisions(owner: Owner, { spec }: DaemonSet): Promise<readonly ControllerRevision[]> {
    const { client, revisions } = this.#options;
    return claimRevisions({ client, revisions, owner, selector: spec?.selector, releases: true });
  }

  #claimPods(owner: Owner, daemonSet: DaemonSet): Promise<readonly Pod[]> {
    const { client, pods } = this.#options;
    return claim(
      { client, owner, resource: PODS, selects: (metadata) => selects(daemonSet, { metadata }) },
      Array.from(candidates(pods, daemonSet), ({ object }) => object as Pod),
    );
  }
}

const selects = ({ spec }: DaemonSet, { metadata }: Pod): boolean =>
  labelSelectorMatches(spec?.selector, metadata?.labels);

/** Failures count for one generation, as far as it was observed. */
const failureKey = ({ metadata, status }: DaemonSet, node: string): string =>
  `${metadata?.uid}/${status?.observedGeneration ?? 0}/${node}`;
