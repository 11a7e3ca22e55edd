import type { CronJob, Job } from '../../model/generated/batch-v1.ts';
import { formatTime } from '../../model/time.ts';
import { controllerReference, type Owner } from '../../reconcile/pods/pod-control.ts';
import { LocalTime } from '../../time/local-time.ts';

const SCHEDULED_ANNOTATION = 'batch.kubernetes.io/cronjob-scheduled-timestamp';
const MINUTE = 60_000;

/** The name of the Job for a time: two attempts to start it cannot make two Jobs. */
export const jobNameOf = ({ metadata }: CronJob, time: number): string =>
  `${metadata?.name}-${Math.floor(time / MINUTE)}`;

/** The Job that a CronJob starts for a time, in milliseconds since the epoch. */
export function jobOf(owner: Owner, time: number): Job {
  const cronJob = owner.object as CronJob;
  const { metadata, spec = {} } = cronJob.spec?.jobTemplate ?? {};
  const { namespace } = cronJob.metadata ?? {};
  const scheduled = rfc3339(time, cronJob.spec?.timeZone ?? '');
  return {
    metadata: {
      name: jobNameOf(cronJob, time),
      ...(namespace === undefined ? {} : { namespace }),
      ...(metadata?.labels && { labels: metadata.labels }),
      annotations: { ...metadata?.annotations, [SCHEDULED_ANNOTATION]: scheduled },
      ownerReferences: [controllerReference(owner)],
    },
    spec,
  };
}

/** A time as a clock of a zone shows it, with its distance from UTC. */
function rfc3339(time: number, zone: string): string {
  const { offset } = LocalTime.at(time, zone);
  if (offset === 0) return formatTime(time);
  const minutes = Math.floor(Math.abs(offset) / MINUTE);
  const digits = (number: number): string => `${number}`.padStart(2, '0');
  const sign = offset < 0 ? '-' : '+';
  const distance = `${sign}${digits(Math.floor(minutes / 60))}:${digits(minutes % 60)}`;
  return formatTime(time + offset).replace('Z', distance);
}
