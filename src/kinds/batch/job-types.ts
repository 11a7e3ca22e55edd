import type * as batch from '../../model/generated/batch-v1.ts';
import type { KubernetesObject } from '../../model/object.ts';
import type { PodTemplateSpec, Untrusted } from '../core/pods/pod-types.ts';
import type { LabelSelector } from '../validation/labels.ts';

export type JobSpec = Omit<Untrusted<batch.JobSpec>, 'selector' | 'template'> & {
  selector?: LabelSelector;
  template?: PodTemplateSpec;
};
export type JobStatus = Untrusted<batch.JobStatus>;
export type PodFailurePolicyRule = Untrusted<batch.PodFailurePolicyRule>;
export type SuccessPolicy = Untrusted<batch.SuccessPolicy>;

export interface Job extends KubernetesObject {
  spec?: JobSpec;
  status?: JobStatus;
}

export interface CronJob extends KubernetesObject {
  spec?: Omit<Untrusted<batch.CronJobSpec>, 'jobTemplate'> & {
    jobTemplate?: { metadata?: KubernetesObject['metadata']; spec?: JobSpec };
  };
  status?: Untrusted<batch.CronJobStatus>;
}
