import type { Pod } from '../../../src/model/generated/core-v1.ts';
import { formatTime } from '../../../src/model/time.ts';

export const NOW = 1_800_000_000_000;

export interface PodOptions {
  readonly phase?: string;
  readonly node?: string;
  /** Seconds before {@link NOW} at which it became ready; it is not ready without. */
  readonly ready?: number;
  /** Seconds before {@link NOW} at which it was created. */
  readonly age?: number;
  readonly restarts?: number;
  readonly sidecarRestarts?: number;
  readonly cost?: string;
  readonly labels?: Record<string, string>;
  readonly deleted?: boolean;
}

/** A Pod whose uid is its name. */
export function pod(name: string, options: PodOptions = {}): Pod {
  const { phase = 'Running', node = 'n', ready, age = 0, restarts, sidecarRestarts, cost } = options;
  const time = (secondsAgo: number): string => formatTime(NOW - secondsAgo * 1000);
  return {
    metadata: {
      namespace: 'ns',
      name,
      uid: name,
      creationTimestamp: time(age),
      labels: options.labels ?? {},
      ...(options.deleted === true && { deletionTimestamp: time(0) }),
      ...(cost !== undefined && { annotations: { 'controller.kubernetes.io/pod-deletion-cost': cost } }),
    },
    spec: {
      containers: [{ name: 'main' }],
      initContainers: [{ name: 'side', restartPolicy: 'Always' }, { name: 'init' }],
      ...(node !== '' && { nodeName: node }),
    },
    status: {
      phase,
      conditions:
        ready === undefined ? [] : [{ type: 'Ready', status: 'True', lastTransitionTime: time(ready) }],
      containerStatuses: [{ name: 'main', restartCount: restarts ?? 0 }] as never,
      initContainerStatuses: [
        { name: 'side', restartCount: sidecarRestarts ?? 0 },
        { name: 'init', restartCount: 99 },
      ] as never,
    },
  };
}
