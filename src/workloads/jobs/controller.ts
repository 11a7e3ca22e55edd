import type { Job } from '../../model/generated/batch-v1.ts';
import type { Pod } from '../../model/generated/core-v1.ts';
import type { ObjectMeta } from '../../model/object.ts';
import { labelSelectorMatches } from '../../model/object-label-selector.ts';
import type { IndexedSource } from '../../reader/object-source.ts';
import { claim } from '../../reconcile/claims.ts';
import type { Client } from '../../reconcile/client.ts';
import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import type { EventRecorder } from '../../reconcile/events/recorder.ts';
import { BY_CONTROLLER } from '../../reconcile/indexes.ts';
import { isManaged } from '../../reconcile/managed.ts';
import { isOutcomeUnknown, OwnWrites } from '../../reconcile/own-writes.ts';
import { candidates, followOwned } from '../../reconcile/owned.ts';
import { type Owner, PodControl } from '../../reconcile/pods/pod-control.ts';
import { JOBS, PODS } from '../../reconcile/resources.ts';
import { type WorkQueue, type WorkResult, workloadQueue } from '../../reconcile/work-queue.ts';
import { type Failures, NO_FAILURES } from './back-off.ts';
import { isJobFinished, isManagedElsewhere, TRACKING_FINALIZER } from './job.ts';
import { isOrphan, orphanKey, podKeyOf, releasePod } from './orphans.ts';
import { isTracked } from './pods.ts';
import { reconcileJob } from './reconcile-job.ts';

/**
 * Runs the Pods of Jobs to their end, and counts how they ended.
 * @param workers objects at the same time
 */
export function jobController(parts: NamedContext, workers: number): Controller {
  const jobs = parts.objects(JOBS);
  const pods = parts.objects(PODS);
  const client = parts.client(parts.user);
  const events = parts.events('job-controller');
  const writes = new OwnWrites([jobs, pods]);
  const queue: WorkQueue = workloadQueue(
    parts,
    (key) => writes.follow(key, () => controller.reconcile(key)),
    workers,
  );
  const controller = new JobController({ jobs, pods, client, events, queue, now: parts.clusterClock.now });
  const addOrphans = (uid: string | undefined): void => {
    for (const [key, pod] of pods.find(BY_CONTROLLER, uid ?? ''))
      if (isTracked(pod.object as Pod)) queue.add(orphanKey(key));
  };
  jobs.onChange((key, job, previous) => {
    queue.add(key);
    if (job === undefined) addOrphans(previous?.metadata().uid);
    else if (isJobFinished(job.object as Job)) addOrphans(job.metadata().uid);
  });
  followOwned({
    owners: jobs,
    kind: JOBS.kind,
    owned: pods,
    selects: ({ object }, metadata) => selects(object, metadata),
    changed: (key) => queue.add(key),
  });
  pods.onChange((key, pod) => {
    if (pod !== undefined && isOrphan(pod.object as Pod, jobs)) queue.add(orphanKey(key));
  });
  return { name: parts.name, sources: [jobs, pods], queue };
}

const selects = ({ spec }: Job, { labels }: ObjectMeta): boolean =>
  labelSelectorMatches(spec?.selector, labels);

interface JobControllerOptions {
  readonly jobs: IndexedSource;
  readonly pods: IndexedSource;
  readonly client: Client;
  readonly events: EventRecorder;
  readonly queue: Pick<WorkQueue, 'addAfter'>;
  readonly now: () => number;
}

class JobController {
  readonly #options: JobControllerOptions;
  readonly #control: PodControl;
  /** Failures since the last success of each unfinished Job, by its uid. */
  readonly #failures = new Map<string, Failures>();
  /** The uid of the Job of each key. */
  readonly #uids = new Map<string, string>();

  constructor(options: JobControllerOptions) {
    this.#options = options;
    this.#control = new PodControl(options.client, options.events);
  }

  async reconcile(key: string): Promise<WorkResult> {
    const { jobs, pods, client } = this.#options;
    const orphan = podKeyOf(key);
    if (orphan !== undefined) {
      const pod = pods.get(orphan) as Pod | undefined;
      if (pod !== undefined && isOrphan(pod, jobs)) await releasePod(client, pod);
      return 'done';
    }
    const job = jobs.get(key) as Job | undefined;
    const uid = job?.metadata?.uid;
    if (job === undefined || this.#uids.get(key) !== uid || isJobFinished(job)) this.#forget(key);
    if (job === undefined || isJobFinished(job) || isManagedElsewhere(job) || !isManaged(job.metadata ?? {}))
      return 'done';
    this.#uids.set(key, uid ?? '');
    await this.#claim({ resource: JOBS, object: job });
    const errors = await this.#reconcileJob(key, job);
    if (errors.length > 0) throw errors.find(isOutcomeUnknown) ?? errors[0];
    return 'done';
  }

  async #reconcileJob(key: string, job: Job): Promise<readonly unknown[]> {
    const { pods, client, events, queue, now } = this.#options;
    const uid = job.metadata?.uid ?? '';
    const own = Array.from(pods.find(BY_CONTROLLER, uid), ([, pod]) => pod.object as Pod).filter((pod) =>
      selects(job, pod.metadata ?? {}),
    );
    return reconcileJob(
      {
        client,
        events,
        control: this.#control,
        release: (pod) => releasePod(client, pod),
        counted: (failures) => void this.#failures.set(uid, failures),
        again: (milliseconds) => queue.addAfter(key, milliseconds),
        now,
      },
      job,
      own,
      this.#failures.get(uid) ?? NO_FAILURES,
    );
  }

  /** An adopted Pod is tracked, and a released one is not. */
  async #claim(owner: Owner): Promise<void> {
    const { client, pods } = this.#options;
    await claim(
      {
        client,
        owner,
        resource: PODS,
        selects: (metadata) => selects(owner.object, metadata),
        adoption: { finalizers: [TRACKING_FINALIZER] },
        release: { '$deleteFromPrimitiveList/finalizers': [TRACKING_FINALIZER] },
      },
      Array.from(candidates(pods, owner.object), ({ object }) => object as Pod),
    );
  }

  #forget(key: string): void {
    this.#failures.delete(this.#uids.get(key) ?? '');
    this.#uids.delete(key);
  }
}
