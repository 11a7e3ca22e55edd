import type { Job, JobSpec, JobStatus } from '../../../src/model/generated/batch-v1.ts';
import type { ContainerStatus, Pod, PodCondition } from '../../../src/model/generated/core-v1.ts';
import { formatTime } from '../../../src/model/time.ts';
import { TRACKING_FINALIZER } from '../../../src/workloads/jobs/job.ts';
import { INDEX_ANNOTATION } from '../../../src/workloads/jobs/pods.ts';

export const NOW = 1_800_000_000_000;

/** A time some seconds before {@link NOW}. */
export const ago = (seconds: number): string => formatTime(NOW - seconds * 1000);

export const job = (spec: JobSpec = {}, status: JobStatus = {}): Job => ({
  metadata: { name: 'work', namespace: 'ns', uid: 'job' },
  spec: { parallelism: 1, completions: 1, backoffLimit: 6, ...spec },
  status,
});

export interface JobPodOptions {
  readonly phase?: string;
  readonly index?: number;
  readonly annotations?: Record<string, string>;
  /** Exit code of its container. */
  readonly exitCode?: number;
  /** Seconds before {@link NOW} at which it ended. */
  readonly ended?: number;
  readonly conditions?: PodCondition[];
  readonly deleted?: boolean;
  /** Its end is counted. */
  readonly released?: boolean;
  readonly restarts?: number;
}

/** A Pod whose uid is its name. */
export function jobPod(name: string, options: JobPodOptions = {}): Pod {
  const { phase = 'Running', index, exitCode, ended = 0, conditions = [], restarts = 0 } = options;
  const indexed: Record<string, string> = index === undefined ? {} : { [INDEX_ANNOTATION]: `${index}` };
  const state = exitCode === undefined ? {} : { terminated: { exitCode, finishedAt: ago(ended) } };
  return {
    metadata: {
      name,
      namespace: 'ns',
      uid: name,
      creationTimestamp: ago(100),
      annotations: { ...indexed, ...options.annotations },
      ...(options.released !== true && { finalizers: [TRACKING_FINALIZER] }),
      ...(options.deleted === true && { deletionTimestamp: ago(0) }),
    },
    spec: { nodeName: 'n' },
    status: {
      phase,
      conditions,
      containerStatuses: [{ name: 'main', restartCount: restarts, state } as ContainerStatus],
    },
  };
}
