import type { DaemonSet, DaemonSetSpec } from '../../../src/model/generated/apps-v1.ts';
import type { Pod, Taint } from '../../../src/model/generated/core-v1.ts';
import { formatTime } from '../../../src/model/time.ts';
import { daemonPod } from '../../../src/workloads/daemon-sets/daemon-pods.ts';
import { type ObservedDaemons, observe } from '../../../src/workloads/daemon-sets/observed.ts';
import type { NodePlace } from '../../../src/workloads/daemon-sets/placement.ts';
import { NOW } from '../../reconcile/pods/pods.ts';

/** A template that differs from those with other images. */
export const template = (image: string) => ({
  metadata: { labels: { app: 'agent' } },
  spec: { containers: [{ name: 'main', image }] },
});

export const daemonSet = (spec: DaemonSetSpec = {}, rest: Partial<DaemonSet> = {}): DaemonSet => ({
  metadata: { namespace: 'ns', name: 'agent', uid: 'agent', generation: 1 },
  spec: {
    selector: { matchLabels: { app: 'agent' } },
    template: template('v1'),
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
    revisionHistoryLimit: 10,
    ...spec,
  },
  ...rest,
});

export const rolling = (maxUnavailable: number | string, maxSurge: number | string): DaemonSetSpec => ({
  updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable, maxSurge } },
});

export const place = (
  name: string,
  taints: Taint[] = [],
  labels: Record<string, string> = {},
): NodePlace => ({
  name,
  labels,
  taints,
});

export interface DaemonOptions {
  readonly hash?: string;
  readonly phase?: string;
  readonly ready?: boolean;
  readonly deleted?: boolean;
  /** It is not bound yet. */
  readonly unbound?: boolean;
  /** Seconds before {@link NOW} at which it was created. */
  readonly age?: number;
}

/** The Pod of a node, running and ready unless told otherwise. */
export function daemon(name: string, node: string, options: DaemonOptions = {}): Pod {
  const { hash = 'v1', phase = 'Running', ready = true, age = 0 } = options;
  const pod = daemonPod(daemonSet(), hash, node);
  const lastTransitionTime = formatTime(NOW);
  return {
    metadata: {
      ...pod.metadata,
      name,
      uid: name,
      creationTimestamp: formatTime(NOW - age * 1000),
      ...(options.deleted === true && { deletionTimestamp: lastTransitionTime }),
    },
    spec: { ...pod.spec, ...(options.unbound !== true && { nodeName: node }) },
    status: {
      phase,
      ...(ready && { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime }] as never }),
    },
  };
}

/** A DaemonSet whose present template has the hash `v1`, with nodes and Pods. */
export const observed = (
  set: DaemonSet,
  nodes: readonly NodePlace[],
  pods: readonly Pod[],
  untilReplaced: (node: string) => number = () => 0,
): ObservedDaemons => observe({ daemonSet: set, hash: 'v1', nodes, pods, untilReplaced, now: NOW });
