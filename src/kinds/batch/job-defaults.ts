import type { Job, JobSpec } from '../../model/generated/batch-v1.ts';
import { setPodTemplateDefaults } from '../core/pods/pod-spec-defaults.ts';

const UNLIMITED_BACKOFF = 2 ** 31 - 1;

/** Sets the defaults of a job. */
export function setJobDefaults(object: Job): void {
  object.spec ??= {};
  const { spec } = object;
  setJobTemplateDefaults(spec);
  setFailurePolicyDefaults(spec);
  if (spec.parallelism === undefined) {
    // Without parallelism, pods run one at a time; the default is a single completion.
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

/** Sets the defaults that also apply to the job template of a cron job. */
export function setJobTemplateDefaults(spec: JobSpec): void {
  spec.template ??= {};
  setPodTemplateDefaults(spec.template);
}

/** Gives a job without labels the label map of its template; both share the object. */
export function copyTemplateLabels(job: Job): void {
  const labels = job.spec?.template?.metadata?.labels;
  if (labels === undefined) return;
  job.metadata ??= {};
  if (Object.keys(job.metadata.labels ?? {}).length === 0) job.metadata.labels = labels;
}

export function setFailurePolicyDefaults({ podFailurePolicy }: JobSpec): void {
  for (const rule of podFailurePolicy?.rules ?? [])
    for (const pattern of rule.onPodConditions ?? []) pattern.status ||= 'True';
}
