import type { Pod } from '../../model/generated/core-v1.ts';
import { timeToMilliseconds } from '../../model/time.ts';
import { podCondition } from '../../reconcile/pods/pod-state.ts';
import type { PodMetric, PodMetricsByName } from './metrics.ts';
import { thousandths } from './resource-metrics.ts';
import type { AutoscalerSettings } from './settings.ts';

/** The Pods of an autoscaler, by what their measurements are worth. Those in no group count. */
export interface PodGroups {
  /** Number of Pods that count. */
  readonly ready: number;
  /** Names of those that have not begun to work. */
  readonly unready: ReadonlySet<string>;
  /** Names of those that were not measured. */
  readonly missing: ReadonlySet<string>;
  /** Names of those that are going or have failed. */
  readonly ignored: ReadonlySet<string>;
}

type Periods = Pick<AutoscalerSettings, 'cpuInitializationPeriod' | 'initialReadinessDelay'>;

/**
 * @param isCpu whether the usage of processors is measured, which is misleading while a Pod starts
 * @param now milliseconds since the epoch
 */
export function groupPods(
  pods: readonly Pod[],
  metrics: PodMetricsByName,
  isCpu: boolean,
  periods: Periods,
  now: number,
): PodGroups {
  const groups = { unready: new Set<string>(), missing: new Set<string>(), ignored: new Set<string>() };
  let ready = 0;
  for (const pod of pods) {
    const { name = '', deletionTimestamp } = pod.metadata ?? {};
    const phase = pod.status?.phase;
    const metric = metrics.get(name);
    if (deletionTimestamp !== undefined || phase === 'Failed') groups.ignored.add(name);
    else if (phase === 'Pending') groups.unready.add(name);
    else if (metric === undefined) groups.missing.add(name);
    else if (isCpu && isStarting(pod, metric, periods, now)) groups.unready.add(name);
    else ready += 1;
  }
  return { ready, ...groups };
}

/** Whether the usage of a Pod is that of its start. */
function isStarting(pod: Pod, { at, window }: PodMetric, periods: Periods, now: number): boolean {
  const { status, lastTransitionTime } = podCondition(pod, 'Ready') ?? {};
  const { startTime } = pod.status ?? {};
  if (status === undefined || !startTime) return true;
  const started = timeToMilliseconds(startTime);
  const changed = lastTransitionTime ? timeToMilliseconds(lastTransitionTime) : 0;
  if (started + periods.cpuInitializationPeriod > now) return status === 'False' || at < changed + window;
  return status === 'False' && started + periods.initialReadinessDelay > changed;
}

/**
 * What Pods request of a resource, in thousandths, by their names.
 * @param container only what this container requests
 * @throws Error for a container that requests nothing
 */
export function podRequests(
  pods: readonly Pod[],
  resource: string,
  container: string | undefined,
): ReadonlyMap<string, bigint> {
  const found = new Map<string, bigint>();
  for (const { metadata: { name: pod = '' } = {}, spec = {} } of pods) {
    const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
    let sum = 0n;
    for (const { name, resources } of [...(spec.containers ?? []), ...sidecars]) {
      if (container !== undefined && container !== name) continue;
      const requests = resources?.requests ?? {};
      if (!Object.hasOwn(requests, resource))
        throw new Error(`missing request for ${resource} in container ${name} of Pod ${pod}`);
      sum += thousandths(requests[resource] as string);
    }
    found.set(pod, sum);
  }
  return found;
}
