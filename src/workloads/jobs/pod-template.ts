import type { Job } from '../../model/generated/batch-v1.ts';
import type { Container, Pod, PodTemplateSpec } from '../../model/generated/core-v1.ts';
import { type Owner, podFromTemplate } from '../../reconcile/pods/pod-control.ts';
import { isCounted } from './failure-policy.ts';
import { hasLimitPerIndex, TRACKING_FINALIZER } from './job.ts';
import {
  FAILURE_COUNT_ANNOTATION,
  failuresBefore,
  IGNORED_FAILURE_COUNT_ANNOTATION,
  INDEX_ANNOTATION,
  ignoredFailuresBefore,
} from './pods.ts';

const INDEX_VARIABLE = 'JOB_COMPLETION_INDEX';
/** Longest prefix of a name that gets a suffix of five characters. */
const LONGEST_PREFIX = 58;

/**
 * A Pod of a Job.
 * @param index of an indexed Job
 * @param replaced the failed Pod of the index that it replaces
 */
export function podOf(owner: Owner, index: number | undefined, replaced: Pod | undefined): Pod {
  const job = owner.object as Job;
  const template: PodTemplateSpec = job.spec?.template ?? {};
  const pod = podFromTemplate(owner, template);
  const finalizers = [...new Set([...(pod.metadata?.finalizers ?? []), TRACKING_FINALIZER])];
  if (index === undefined) return { ...pod, metadata: { ...pod.metadata, finalizers } };
  const { name = '' } = job.metadata ?? {};
  const { containers, initContainers, ...spec } = pod.spec ?? {};
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      generateName: indexedPrefix(name, index),
      labels: { ...pod.metadata?.labels, [INDEX_ANNOTATION]: `${index}` },
      annotations: {
        ...pod.metadata?.annotations,
        [INDEX_ANNOTATION]: `${index}`,
        ...(hasLimitPerIndex(job) && failureAnnotations(job, replaced)),
      },
      finalizers,
    },
    spec: {
      ...spec,
      hostname: `${name}-${index}`,
      ...(initContainers && { initContainers: initContainers.map(withIndexVariable) }),
      ...(containers && { containers: containers.map(withIndexVariable) }),
    },
  };
}

function indexedPrefix(name: string, index: number): string {
  const suffix = `-${index}-`;
  return name.slice(0, LONGEST_PREFIX - suffix.length) + suffix;
}

/** The failures of an index are handed on from Pod to Pod. */
function failureAnnotations(job: Job, replaced: Pod | undefined): Record<string, string> {
  if (replaced === undefined) return { [FAILURE_COUNT_ANNOTATION]: '0' };
  const isCountedFailure = isCounted(job, replaced);
  const counted = failuresBefore(replaced) + (isCountedFailure ? 1 : 0);
  const ignored = ignoredFailuresBefore(replaced) + (isCountedFailure ? 0 : 1);
  return {
    [FAILURE_COUNT_ANNOTATION]: `${counted}`,
    ...(ignored > 0 && { [IGNORED_FAILURE_COUNT_ANNOTATION]: `${ignored}` }),
  };
}

function withIndexVariable(container: Container): Container {
  const { env = [] } = container;
  if (env.some(({ name }) => name === INDEX_VARIABLE)) return container;
  const fieldRef = { fieldPath: `metadata.labels['${INDEX_ANNOTATION}']` };
  return { ...container, env: [...env, { name: INDEX_VARIABLE, valueFrom: { fieldRef } }] };
}
