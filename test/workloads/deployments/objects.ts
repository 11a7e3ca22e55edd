import type { Deployment, DeploymentSpec, ReplicaSet } from '../../../src/model/generated/apps-v1.ts';
import { formatTime } from '../../../src/model/time.ts';
import { NOW } from '../../reconcile/pods/pods.ts';

/** A template that differs from those with other images. */
export const template = (image: string) => ({
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'main', image }] },
});

export function deployment(spec: DeploymentSpec = {}, rest: Partial<Deployment> = {}): Deployment {
  return {
    metadata: { namespace: 'ns', name: 'web', uid: 'web', generation: 1 },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: 'web' } },
      template: template('v1'),
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
      progressDeadlineSeconds: 600,
      revisionHistoryLimit: 10,
      ...spec,
    },
    ...rest,
  };
}

export interface SetOptions {
  readonly image?: string;
  readonly replicas?: number;
  /** Pods that exist; default: as many as wanted. */
  readonly actual?: number;
  /** Pods that are available; default: as many as exist. */
  readonly available?: number;
  readonly annotations?: Record<string, string>;
  /** Seconds before {@link NOW} at which it was created. */
  readonly age?: number;
  readonly rest?: Partial<ReplicaSet>;
}

/** A ReplicaSet of the Deployment `web`, with the hash of its image. */
export function replicaSet(name: string, options: SetOptions = {}): ReplicaSet {
  const { image = 'v1', replicas = 3, actual = replicas, available = actual, annotations, age = 0 } = options;
  const labels = { app: 'web', 'pod-template-hash': image };
  return {
    metadata: {
      namespace: 'ns',
      name,
      uid: name,
      generation: 1,
      creationTimestamp: formatTime(NOW - age * 1000),
      labels,
      ...(annotations && { annotations }),
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'web', controller: true },
      ],
    },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { ...template(image), metadata: { labels } },
    },
    status: {
      replicas: actual,
      readyReplicas: available,
      availableReplicas: available,
      observedGeneration: 1,
    },
    ...options.rest,
  };
}

/** What a ReplicaSet says that it was scaled for. */
export const scaledFor = (desired: number, maximum: number, revision = 1): Record<string, string> => ({
  'deployment.kubernetes.io/desired-replicas': String(desired),
  'deployment.kubernetes.io/max-replicas': String(maximum),
  'deployment.kubernetes.io/revision': String(revision),
});
