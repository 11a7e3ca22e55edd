import type { Job, JobCondition, JobStatus } from '../../model/generated/batch-v1.ts';
import type { Pod } from '../../model/generated/core-v1.ts';
import { formatTime } from '../../model/time.ts';
import type { Client } from '../../reconcile/client.ts';
import { isSame, nonZero } from '../../reconcile/equality.ts';
import type { EventRecorder } from '../../reconcile/events/recorder.ts';
import type { Owner, PodControl } from '../../reconcile/pods/pod-control.ts';
import { isReady } from '../../reconcile/pods/pod-state.ts';
import { JOBS } from '../../reconcile/resources.ts';
import { isNamespaceTerminating } from '../../reconcile/settled-errors.ts';
import { slowStart } from '../../reconcile/slow-start.ts';
import type { Failures } from './back-off.ts';
import { COMPLETIONS_REACHED, type Ending, endingOf, isComplete, untilDeadline } from './ending.ts';
import { isSuspended, newCondition, withCondition } from './job.ts';
import { type ObservedJob, observe } from './observed.ts';
import { planPods } from './plan.ts';
import { podOf } from './pod-template.ts';
import { announce, countReleased, finish, track, trackedUids } from './tracking.ts';

export interface JobExecutor {
  readonly client: Client;
  readonly control: PodControl;
  readonly events: EventRecorder;
  /** Takes the finalizer from a Pod; one that has gone has none. */
  release(pod: Pod): Promise<void>;
  /** The status that was written: failures since the last success are counted in it. */
  counted(failures: Failures): void;
  /** Reconciles the Job again after some milliseconds of the cluster. */
  again(milliseconds: number): void;
  readonly now: () => number;
}

/** The Pods of a Job after they were created and deleted. */
interface Changed {
  readonly active: number;
  readonly ready: number;
  readonly terminating: number;
  readonly errors: readonly unknown[];
}

/** What a reconcile has done with the Pods of a Job, before it is written. */
interface Step {
  readonly changed: Changed;
  /** How the Job ends; undefined while it goes on, or while a Pod could not be stopped. */
  readonly ending: Ending | undefined;
  /** The condition `Suspended`, if it changes. */
  readonly suspension?: JobCondition | undefined;
}

/**
 * Brings a Job nearer to its end, and writes what its Pods have come to.
 * @param pods all Pods of the Job
 * @param failures since the last success, as far as they are counted
 * @returns errors of Pods that could not be created or deleted
 * @throws ApiError of a status or a finalizer that could not be written
 */
export async function reconcileJob(
  executor: JobExecutor,
  job: Job,
  pods: readonly Pod[],
  failures: Failures,
): Promise<readonly unknown[]> {
  const now = executor.now();
  const observed = observe(withStart(job, now), pods, failures);
  const owner: Owner = { resource: JOBS, object: job };
  const ending = endingOf(observed, now);
  const step =
    ending === undefined
      ? await goOn(executor, owner, observed, now)
      : await stop(executor, owner, observed, ending);
  await writeEnds(executor, job, observed, step);
  if (step.suspension !== undefined) reportSuspension(executor, job, step.suspension);
  return step.changed.errors;
}

async function stop(
  executor: JobExecutor,
  owner: Owner,
  observed: ObservedJob,
  ending: Ending,
): Promise<Step> {
  const changed = await deletePods(executor, owner, observed, observed.active, false);
  return { changed, ending: changed.errors.length === 0 ? ending : undefined };
}

async function goOn(executor: JobExecutor, owner: Owner, observed: ObservedJob, now: number): Promise<Step> {
  const { job } = observed;
  const left = untilDeadline(job, now);
  if (left !== undefined) executor.again(left);
  const isGoing = job.metadata?.deletionTimestamp !== undefined;
  const changed = isGoing ? unchanged(observed) : await changePods(executor, owner, observed);
  if (isComplete(observed, changed.active)) return { changed, ending: COMPLETIONS_REACHED };
  const suspension = suspensionOf(job, now);
  const isNew = !isGoing && withCondition(job.status?.conditions ?? [], suspension) !== undefined;
  return { changed, ending: undefined, suspension: isNew ? suspension : undefined };
}

/** A Job starts when it is first seen without being suspended. */
const withStart = (job: Job, now: number): Job =>
  isSuspended(job) || job.status?.startTime !== undefined
    ? job
    : { ...job, status: { ...job.status, startTime: formatTime(now) } };

const suspensionOf = (job: Job, now: number): JobCondition =>
  isSuspended(job)
    ? newCondition('Suspended', 'True', 'JobSuspended', 'Job suspended', now)
    : newCondition('Suspended', 'False', 'JobResumed', 'Job resumed', now);

const unchanged = ({ active, ready, terminating }: ObservedJob): Changed => ({
  active: active.length,
  ready,
  terminating,
  errors: [],
});

async function changePods(executor: JobExecutor, owner: Owner, observed: ObservedJob): Promise<Changed> {
  const plan = planPods(observed, executor.now());
  if (plan.does === 'delete') return deletePods(executor, owner, observed, plan.pods, true);
  if (plan.does === 'create') return createPods(executor, owner, observed, plan.indexes);
  if (plan.does === 'nothing') return unchanged(observed);
  executor.again(plan.milliseconds);
  // As in kube-controller-manager, a Job that waits counts no Pod as active.
  return { ...unchanged(observed), active: 0 };
}

/** @param releases whether the Pods lose their finalizer first: then their end is not counted */
async function deletePods(
  { control, release }: JobExecutor,
  owner: Owner,
  observed: ObservedJob,
  pods: readonly Pod[],
  releases: boolean,
): Promise<Changed> {
  const results = await Promise.allSettled(
    pods.map(async (pod) => {
      if (releases) await release(pod);
      await control.delete(owner, pod);
    }),
  );
  const deleted = pods.filter((_, index) => results[index]!.status === 'fulfilled');
  return {
    active: observed.active.length - deleted.length,
    ready: observed.ready - deleted.filter(isReady).length,
    terminating: observed.terminating + deleted.length,
    errors: results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])),
  };
}

async function createPods(
  { control }: JobExecutor,
  owner: Owner,
  observed: ObservedJob,
  indexes: readonly (number | undefined)[],
): Promise<Changed> {
  const { succeeded, errors } = await slowStart(indexes.length, (position) => {
    const index = indexes[position];
    const replaced = index === undefined ? undefined : observed.replaced.get(index);
    return control.create(owner, podOf(owner, index, replaced));
  });
  return {
    ...unchanged(observed),
    active: observed.active.length + succeeded,
    errors: errors.filter((error) => !isNamespaceTerminating(error)),
  };
}

/**
 * Writes the status with the ends of Pods in it, then releases these Pods, then writes that they are counted, and that
 * the Job has ended. A Pod is counted once, whatever happens between these steps.
 */
async function writeEnds(executor: JobExecutor, job: Job, observed: ObservedJob, step: Step): Promise<void> {
  const { ending, changed } = step;
  const tracking = track(observed, presentStatus(observed.job, step, executor.now()), ending);
  const first = ending === undefined ? tracking.status : announce(tracking.status, ending, executor.now());
  const current = await write(executor, job, first);
  executor.counted(observed.failures);
  const tracked = new Set(trackedUids(observed.pods));
  const results = await Promise.allSettled(
    tracking.released.map(async (pod) => {
      await executor.release(pod);
      tracked.delete(pod.metadata?.uid ?? '');
    }),
  );
  const counted = countReleased(first, tracked);
  const failure = results.find((result) => result.status === 'rejected');
  const finished =
    ending !== undefined && tracking.isWhole && failure === undefined
      ? finish(counted, ending, changed.terminating, executor.now())
      : undefined;
  await write(executor, current, finished ?? counted);
  if (failure !== undefined) throw failure.reason;
  if (finished !== undefined) reportEnd(executor, job, ending!, counted);
}

/** The status with the present numbers of Pods. A Job that is resumed starts anew. */
function presentStatus({ status = {} }: Job, { changed, suspension }: Step, now: number): JobStatus {
  const { active, ready, terminating } = changed;
  if (suspension === undefined) return { ...status, active, ready, terminating };
  return {
    ...status,
    conditions: withCondition(status.conditions ?? [], suspension)!,
    ...(suspension.status === 'False' && { startTime: formatTime(now) }),
    active,
    ready,
    terminating,
  };
}

/** Writes a status that differs. @returns the Job as it is stored */
async function write({ client }: JobExecutor, job: Job, status: JobStatus): Promise<Job> {
  if (isSame(stored(status), job.status ?? {})) return job;
  return (await client.update(JOBS, { ...job, status: stored(status) }, { subresource: 'status' })) as Job;
}

/** The form in which the API has a status: counts of 0 are absent, but for those of ready and terminating Pods. */
function stored({
  active = 0,
  succeeded = 0,
  failed = 0,
  completedIndexes,
  ...status
}: JobStatus): JobStatus {
  return {
    ...status,
    ...nonZero({ active, succeeded, failed }),
    ...(completedIndexes ? { completedIndexes } : {}),
  };
}

function reportSuspension({ events }: JobExecutor, job: Job, { status, message = '' }: JobCondition): void {
  events.record(JOBS, job, 'Normal', status === 'True' ? 'Suspended' : 'Resumed', message);
}

function reportEnd({ events }: JobExecutor, job: Job, ending: Ending, { succeeded = 0 }: JobStatus): void {
  if (ending.outcome === 'Failed') {
    events.record(JOBS, job, 'Warning', ending.reason, ending.message);
    return;
  }
  const { completions } = job.spec ?? {};
  if (completions !== undefined && succeeded > completions)
    events.record(
      JOBS,
      job,
      'Warning',
      'TooManySucceededPods',
      'Too many succeeded pods running after completion count reached',
    );
  events.record(JOBS, job, 'Normal', 'Completed', 'Job completed');
}
