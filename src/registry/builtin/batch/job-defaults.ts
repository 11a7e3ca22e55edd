import { setPodTemplateDefaults } from '../core/pods/pod-spec-defaults.ts';
import type { Job, JobSpec } from './job-types.ts';

const UNLIMITED_BACKOFF = 2 ** 31 - 1;

export function setJobDefaults(object: Job): void {
  object.spec ??= {};
  const { spec } = object;
  setJobTemplateDefaults(spec);
  if (spec.parallelism === undefined) {
    // A single run is the default; a number of completions alone means one at a time.
    spec.completions ??= 1;
    spec.parallelism = 1;
  }
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : UNLIMITED_BACKOFF;
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed';
  spec.manualSelector ??= false;
  copyTemplateLabels(object);
}

/** What a job's specification gets even inside a cron job. */
export function setJobTemplateDefaults(spec: JobSpec): void {
  spec.template ??= {};
  setPodTemplateDefaults(spec.template);
  for (const rule of spec.podFailurePolicy?.rules ?? [])
    for (const pattern of rule.onPodConditions ?? []) pattern.status ||= 'True';
}

/**
 * A job without labels shares those of its pods: labels that are generated for them become the job's, too.
 */
export function copyTemplateLabels(job: Job): void {
  const labels = job.spec?.template?.metadata?.labels;
  if (labels === undefined) return;
  job.metadata ??= {};
  if (Object.keys(job.metadata.labels ?? {}).length === 0) job.metadata.labels = labels;
}
