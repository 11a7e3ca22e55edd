import type { StatefulSet, StatefulSetSpec } from '../../../src/model/generated/apps-v1.ts';
import type { Pod } from '../../../src/model/generated/core-v1.ts';
import { formatTime } from '../../../src/model/time.ts';
import type { FindClaim } from '../../../src/workloads/stateful-sets/claims.ts';
import { newPod } from '../../../src/workloads/stateful-sets/new-pod.ts';
import { type ObservedSet, observe } from '../../../src/workloads/stateful-sets/observed.ts';
import { NOW } from '../../reconcile/pods/pods.ts';

/** A template that differs from those with other images. */
export const template = (image: string) => ({
  metadata: { labels: { app: 'db' } },
  spec: { containers: [{ name: 'main', image }] },
});

export const statefulSet = (spec: StatefulSetSpec = {}, rest: Partial<StatefulSet> = {}): StatefulSet => ({
  metadata: { namespace: 'ns', name: 'db', uid: 'db', generation: 1 },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'db' } },
    template: template('v1'),
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    ...spec,
  },
  ...rest,
});

export interface MemberOptions {
  readonly revision?: string;
  readonly phase?: string;
  /** Seconds before {@link NOW} at which it became ready; false: it is not ready. */
  readonly ready?: number | false;
  readonly deleted?: boolean;
}

/** The Pod of an ordinal: running and ready unless told otherwise. */
export function member(set: StatefulSet, ordinal: number, options: MemberOptions = {}): Pod {
  const { revision = 'v1', phase = 'Running', ready = 0, deleted = false } = options;
  const pod = newPod(set, { name: revision, template: template(revision) }, ordinal);
  const lastTransitionTime = formatTime(NOW - Number(ready) * 1000);
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      uid: `${pod.metadata!.name}-${revision}`,
      ...(deleted && { deletionTimestamp: formatTime(NOW) }),
    },
    status: {
      phase,
      ...(ready !== false && {
        conditions: [{ type: 'Ready', status: 'True', lastTransitionTime }] as never,
      }),
    },
  };
}

/** A set whose present template has the image `v1`, with these Pods. */
export const observed = (
  set: StatefulSet,
  pods: readonly Pod[],
  rest: {
    readonly current?: string;
    readonly findClaim?: FindClaim;
    readonly readsMaxUnavailable?: boolean;
  } = {},
): ObservedSet => {
  const { current = 'v1', findClaim = () => undefined, readsMaxUnavailable = false } = rest;
  return observe({
    set,
    pods,
    current: { name: current, template: template(current) },
    update: { name: 'v1', template: template('v1') },
    findClaim,
    readsMaxUnavailable,
    now: NOW,
  });
};
