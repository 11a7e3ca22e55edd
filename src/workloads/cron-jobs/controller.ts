import type { CronJob, CronJobStatus, Job } from '../../model/generated/batch-v1.ts';
import { formatTime, timeToMilliseconds } from '../../model/time.ts';
import type { IndexedSource } from '../../reader/object-source.ts';
import type { Client } from '../../reconcile/client.ts';
import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import { isSame } from '../../reconcile/equality.ts';
import { type EventRecorder, type EventType, referenceTo } from '../../reconcile/events/recorder.ts';
import { BY_CONTROLLER, controllerOf } from '../../reconcile/indexes.ts';
import { isManaged } from '../../reconcile/managed.ts';
import { OwnWrites } from '../../reconcile/own-writes.ts';
import type { Owner } from '../../reconcile/pods/pod-control.ts';
import { CRON_JOBS, JOBS } from '../../reconcile/resources.ts';
import { isNamespaceTerminating } from '../../reconcile/settled-errors.ts';
import { updateStatus } from '../../reconcile/status-update.ts';
import { controllerQueue, type WorkQueue, type WorkResult } from '../../reconcile/work-queue.ts';
import { ApiError } from '../../status/index.ts';
import type { CronSchedule } from '../../time/cron-schedule.ts';
import { finishedCondition, isFinishedAs, isJobFinished } from '../jobs/job.ts';
import { surplusJobs } from './history.ts';
import { jobNameOf, jobOf } from './job-of.ts';
import { dueTime, scheduleOf, untilNext } from './schedule.ts';
import { changedStatus } from './status.ts';

const RFC1123Z = '+0000';
/** More missed times than these are reported. */
const MANY_MISSED = 100;

/**
 * Starts Jobs at the times of CronJobs.
 * @param workers objects at the same time
 */
export function cronJobController(parts: NamedContext, workers: number): Controller {
  const cronJobs = parts.objects(CRON_JOBS);
  const jobs = parts.objects(JOBS);
  const writes = new OwnWrites([cronJobs, jobs]);
  const queue: WorkQueue = controllerQueue(
    parts,
    parts.name,
    (key) => writes.follow(key, () => starter.reconcile(key)),
    workers,
  );
  const starter = new JobStarter({
    cronJobs,
    jobs,
    client: parts.client(parts.user),
    events: parts.events('cronjob-controller'),
    queue,
    now: parts.clusterClock.now,
  });
  cronJobs.onChange((key, cronJob, previous) => {
    if (cronJob === undefined) return;
    const wait = previous && untilNewSchedule(cronJob.object, previous.object, parts.clusterClock.now());
    if (wait === undefined) queue.add(key);
    else queue.addAfter(key, wait);
  });
  jobs.onChange((_key, job, previous) => {
    for (const one of [job, previous]) {
      const metadata = one?.metadata();
      const owner = metadata && controllerOf(metadata);
      if (owner?.kind === CRON_JOBS.kind) queue.add(`${metadata!.namespace}/${owner.name}`);
    }
  });
  return { name: parts.name, sources: [cronJobs, jobs], queue };
}

/**
 * Milliseconds until the next time of a schedule that has changed: times of it that have passed are not made up for.
 * Undefined if it has not, or has no such time.
 */
function untilNewSchedule(cronJob: CronJob, { spec: before }: CronJob, now: number): number | undefined {
  const { spec } = cronJob;
  if (spec?.schedule === before?.schedule && spec?.timeZone === before?.timeZone) return undefined;
  const schedule = scheduleOf(cronJob);
  return typeof schedule === 'string' ? undefined : untilNext(cronJob, schedule, now);
}

interface JobStarterOptions {
  readonly cronJobs: IndexedSource;
  readonly jobs: IndexedSource;
  readonly client: Client;
  readonly events: EventRecorder;
  readonly queue: Pick<WorkQueue, 'addAfter'>;
  readonly now: () => number;
}

/** A CronJob, and its status as it is going to be written. */
interface Draft {
  readonly cronJob: CronJob;
  readonly owner: Owner;
  status: CronJobStatus;
}

class JobStarter {
  readonly #options: JobStarterOptions;

  constructor(options: JobStarterOptions) {
    this.#options = options;
  }

  async reconcile(key: string): Promise<WorkResult> {
    const { cronJobs, jobs, client } = this.#options;
    const cronJob = cronJobs.get(key) as CronJob | undefined;
    if (cronJob === undefined || !isManaged(cronJob.metadata ?? {})) return 'done';
    const draft: Draft = {
      cronJob,
      owner: { resource: CRON_JOBS, object: cronJob },
      status: cronJob.status ?? {},
    };
    const children = Array.from(
      jobs.find(BY_CONTROLLER, cronJob.metadata?.uid ?? ''),
      ([, job]) => job.object as Job,
    );
    for (const job of surplusJobs(cronJob, children)) await this.#delete(draft, job);
    this.#observe(draft, children);
    let failure: unknown;
    try {
      await this.#forgetMissing(draft, children);
      if (cronJob.metadata?.deletionTimestamp === undefined) await this.#followSchedule(key, draft);
    } catch (error) {
      failure = error;
    }
    const { status: read = {} } = cronJob;
    // What has been done is written even if the object has changed meanwhile: else a Job that was started were unknown.
    if (!isSame(draft.status, read))
      await updateStatus(client.writer(), CRON_JOBS, cronJob, (current) => ({
        ...current,
        status: changedStatus(read, draft.status, current.status ?? {}),
      }));
    if (failure !== undefined) throw failure;
    return 'done';
  }

  /** Takes over what has become of the Jobs. */
  #observe(draft: Draft, children: readonly Job[]): void {
    for (const job of children) {
      const { name, uid } = job.metadata ?? {};
      const isActive = draft.status.active?.some((one) => one.uid === uid) === true;
      if (!isJobFinished(job)) {
        if (!isActive)
          this.#record(
            draft,
            'Warning',
            'UnexpectedJob',
            `Saw a job that the controller did not create or forgot: ${name}`,
          );
        continue;
      }
      if (isActive) {
        const condition = finishedCondition(job)?.type;
        this.#record(
          draft,
          'Normal',
          'SawCompletedJob',
          `Saw completed job: ${name}, condition: ${condition}`,
        );
        forget(draft, uid);
      }
      const completed = isFinishedAs(job, 'Complete') ? job.status?.completionTime : undefined;
      const { lastSuccessfulTime } = draft.status;
      if (completed !== undefined && (lastSuccessfulTime === undefined || completed > lastSuccessfulTime))
        draft.status = { ...draft.status, lastSuccessfulTime: completed };
    }
  }

  /** Active Jobs that exist no more are not active. The source may not know a Job yet that another server started. */
  async #forgetMissing(draft: Draft, children: readonly Job[]): Promise<void> {
    const known = new Set(children.map(({ metadata }) => metadata?.uid));
    for (const { name = '', namespace = '', uid } of draft.status.active ?? []) {
      if (known.has(uid) || (await this.#options.client.get(JOBS, namespace, name)) !== undefined) continue;
      this.#record(draft, 'Normal', 'MissingJob', `Active job went missing: ${name}`);
      forget(draft, uid);
    }
  }

  async #followSchedule(key: string, draft: Draft): Promise<void> {
    const { queue, now } = this.#options;
    const { cronJob } = draft;
    const { schedule: text = '', suspend = false } = cronJob.spec ?? {};
    if (suspend) return;
    if (text.includes('TZ'))
      this.#record(
        draft,
        'Warning',
        'UnsupportedSchedule',
        `CRON_TZ or TZ used in schedule ${JSON.stringify(text)} is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details`,
      );
    const schedule = scheduleOf(cronJob);
    if (typeof schedule === 'string') {
      this.#record(
        draft,
        'Warning',
        'UnparseableSchedule',
        `unparseable schedule: ${JSON.stringify(text)} : ${schedule}`,
      );
      return;
    }
    const time = this.#due(draft, schedule, now());
    if (time === 'never') return;
    if (time !== undefined) await this.#start(draft, time);
    const wait = untilNext({ ...cronJob, status: draft.status } as CronJob, schedule, now());
    if (wait !== undefined) queue.addAfter(key, wait);
  }

  /** The time for which a Job is to be started now, if there is one. */
  #due(draft: Draft, schedule: CronSchedule, now: number): number | undefined | 'never' {
    const { cronJob } = draft;
    const { schedule: text, startingDeadlineSeconds } = cronJob.spec ?? {};
    let due: ReturnType<typeof dueTime>;
    try {
      due = dueTime(cronJob, schedule, now);
    } catch (error) {
      const reason = (error as Error).message;
      this.#record(draft, 'Warning', 'InvalidSchedule', `invalid schedule: ${text} : ${reason}`);
      return 'never';
    }
    const { time, missed } = due;
    if (time === undefined) return undefined;
    if (missed > MANY_MISSED)
      this.#record(
        draft,
        'Warning',
        'TooManyMissedTimes',
        'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
      );
    if (startingDeadlineSeconds !== undefined && time + startingDeadlineSeconds * 1000 < now) {
      const missedTime = new Date(time).toUTCString().replace('GMT', RFC1123Z);
      this.#record(draft, 'Warning', 'MissSchedule', `Missed scheduled time to start a job: ${missedTime}`);
      return undefined;
    }
    return time;
  }

  async #start(draft: Draft, time: number): Promise<void> {
    const { cronJob } = draft;
    const { lastScheduleTime, active = [] } = draft.status;
    const name = jobNameOf(cronJob, time);
    const isStarted =
      active.some((one) => one.name === name) ||
      (lastScheduleTime !== undefined && timeToMilliseconds(lastScheduleTime) === time);
    if (isStarted) return;
    const { concurrencyPolicy } = cronJob.spec ?? {};
    if (concurrencyPolicy === 'Forbid' && active.length > 0) {
      this.#record(
        draft,
        'Normal',
        'JobAlreadyActive',
        'Not starting job because prior execution is running and concurrency policy is Forbid',
      );
      return;
    }
    if (concurrencyPolicy === 'Replace') await this.#replace(draft);
    const job = await this.#create(draft, time);
    if (job === undefined) return;
    draft.status = {
      ...draft.status,
      active: [...(draft.status.active ?? []), referenceTo(JOBS, job)],
      lastScheduleTime: formatTime(time),
    };
  }

  async #replace(draft: Draft): Promise<void> {
    const { client } = this.#options;
    for (const { name = '', namespace = '' } of draft.status.active ?? []) {
      const job = (await client.get(JOBS, namespace, name)) as Job | undefined;
      if (job === undefined) {
        const message = `Get job: jobs.batch ${JSON.stringify(name)} not found`;
        this.#record(draft, 'Warning', 'FailedGet', message);
        throw new Error(message);
      }
      if (!(await this.#delete(draft, job))) throw new Error(`could not replace job ${namespace}/${name}`);
    }
  }

  /** @returns the Job, or undefined if its status is another controller's to write @throws ApiError */
  async #create(draft: Draft, time: number): Promise<Job | undefined> {
    const { client } = this.#options;
    const wanted = jobOf(draft.owner, time);
    try {
      const job = (await client.create(JOBS, wanted)) as Job;
      this.#record(draft, 'Normal', 'SuccessfulCreate', `Created job ${job.metadata?.name}`);
      return job;
    } catch (error) {
      if (error instanceof ApiError && error.reason === 'AlreadyExists') return this.#existing(draft, wanted);
      if (!isNamespaceTerminating(error))
        this.#record(draft, 'Warning', 'FailedCreate', `Error creating job: ${(error as Error).message}`);
      throw error;
    }
  }

  /** A Job that was created before, and that the status does not name. */
  async #existing({ cronJob, status }: Draft, { metadata = {} }: Job): Promise<Job | undefined> {
    const { namespace = '', name = '' } = metadata;
    const job = (await this.#options.client.get(JOBS, namespace, name)) as Job | undefined;
    const uid = job?.metadata?.uid;
    const isOwn = controllerOf(job?.metadata ?? {})?.uid === cronJob.metadata?.uid;
    return isOwn && status.active?.some((one) => one.uid === uid) !== true ? job : undefined;
  }

  /** @returns whether it is deleted; a failure is reported */
  async #delete(draft: Draft, { metadata = {} }: Job): Promise<boolean> {
    const { namespace = '', name = '', uid } = metadata;
    try {
      await this.#options.client.delete(JOBS, namespace, name, {
        propagationPolicy: 'Background',
        preconditions: { uid },
      });
    } catch (error) {
      this.#record(draft, 'Warning', 'FailedDelete', `Deleted job: ${(error as Error).message}`);
      return false;
    }
    forget(draft, uid);
    this.#record(draft, 'Normal', 'SuccessfulDelete', `Deleted job ${name}`);
    return true;
  }

  #record({ cronJob }: Draft, type: EventType, reason: string, message: string): void {
    this.#options.events.record(CRON_JOBS, cronJob, type, reason, message);
  }
}

function forget(draft: Draft, uid: string | undefined): void {
  const { active = [], ...status } = draft.status;
  const left = active.filter((one) => one.uid !== uid);
  draft.status = { ...status, ...(left.length > 0 && { active: left }) };
}
