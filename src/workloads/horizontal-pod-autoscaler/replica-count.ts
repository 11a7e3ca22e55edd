import type { Pod } from '../../model/generated/core-v1.ts';
import { isReady } from '../../reconcile/pods/pod-state.ts';
import type { PodMetricsByName } from './metrics.ts';
import { groupPods, type PodGroups, podRequests } from './pod-groups.ts';
import type { AutoscalerSettings } from './settings.ts';

/** Shares of the target by which usage may differ from it without effect. */
export interface Tolerances {
  readonly up: number;
  readonly down: number;
}

/** What decides about the number of Pods besides a measurement. */
export interface Situation {
  readonly pods: readonly Pod[];
  /** Pods that the scaled object wants. */
  readonly wanted: number;
  /** Pods that it has. */
  readonly present: number;
  readonly tolerances: Tolerances;
  readonly settings: Pick<AutoscalerSettings, 'cpuInitializationPeriod' | 'initialReadinessDelay'>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** How many Pods a measurement asks for. */
export interface Proposal {
  readonly replicas: number;
  /** In thousandths: the average of the Pods, or the value itself. */
  readonly usage: bigint;
  /** In percent of what the Pods request. */
  readonly utilization?: number;
}

const isWithin = ({ up, down }: Tolerances, ratio: number): boolean =>
  Math.abs(1 - ratio) <= (ratio > 1 ? up : down);

const NO_PODS = 'no pods returned by selector while calculating replica count';

/**
 * By the average share of their requests that Pods use.
 * @param target in percent
 * @throws Error that says why there is no answer
 */
export function byUtilization(
  situation: Situation,
  metrics: PodMetricsByName,
  target: number,
  resource: string,
  container: string | undefined,
): Proposal {
  let requests: ReadonlyMap<string, bigint> = new Map();
  return byPods(situation, metrics, resource, {
    begin() {
      requests = podRequests(situation.pods, resource, container);
    },
    measure: (counted) => utilizationOf(counted, requests, target),
    replacement: (pod) => ((requests.get(pod) ?? 0n) * BigInt(Math.max(100, target))) / 100n,
  });
}

/** By the average value of Pods. @param target in thousandths @throws Error that says why there is no answer */
export const byAverage = (
  situation: Situation,
  metrics: PodMetricsByName,
  target: bigint,
  resource: string | undefined,
): Proposal =>
  byPods(situation, metrics, resource, {
    begin: () => undefined,
    measure(counted) {
      let sum = 0n;
      for (const { value } of counted.values()) sum += value;
      const usage = sum / BigInt(counted.size);
      return { ratio: Number(usage) / Number(target), usage };
    },
    replacement: () => target,
  });

/** By one value for all Pods. @param target in thousandths @throws Error that says why there is no answer */
export function byValue({ pods, wanted, tolerances }: Situation, usage: bigint, target: bigint): Proposal {
  const ratio = Number(usage) / Number(target);
  if (wanted === 0) return { replicas: Math.ceil(ratio), usage };
  if (isWithin(tolerances, ratio)) return { replicas: wanted, usage };
  if (pods.length === 0) throw new Error(`unable to calculate ready pods: ${NO_PODS}`);
  const ready = pods.filter((pod) => pod.status?.phase === 'Running' && isReady(pod)).length;
  return { replicas: Math.ceil(ratio * ready), usage };
}

/** By one value that is divided among the Pods. @param target of each Pod, in thousandths */
export function byShare({ present, tolerances }: Situation, total: bigint, target: bigint): Proposal {
  const ratio = Number(total) / (Number(target) * present);
  // Without Pods the ratio may be no number.
  const isEnough = Number.isNaN(ratio) || isWithin(tolerances, ratio);
  const usage = present === 0 ? total : BigInt(Math.ceil(Number(total) / present));
  return { replicas: isEnough ? present : Math.ceil(Number(total) / Number(target)), usage };
}

interface Measured {
  /** Usage in relation to the target. */
  readonly ratio: number;
  readonly usage: bigint;
  readonly utilization?: number;
}

/** How the measurements of Pods are judged. */
interface Judge {
  /** Called before the others. @throws Error */
  begin(): void;
  /** @throws Error */
  measure(metrics: PodMetricsByName): Measured;
  /** What a Pod without measurement is taken to use when others use less than the target. */
  replacement(pod: string): bigint;
}

/**
 * Pods that do not count at first count in favour of no change: those without measurement as if they used what they may
 * when fewer Pods are wanted, and nothing when more are; those that start as if they used nothing.
 */
function byPods(
  { pods, wanted, tolerances, settings, now }: Situation,
  metrics: PodMetricsByName,
  resource: string | undefined,
  judge: Judge,
): Proposal {
  if (pods.length === 0) throw new Error(NO_PODS);
  const groups = groupPods(pods, metrics, resource === 'cpu', settings, now);
  const counted: PodMetricsByName = new Map(
    [...metrics].filter(([pod]) => !groups.ignored.has(pod) && !groups.unready.has(pod)),
  );
  if (counted.size === 0)
    throw new Error('did not receive metrics for targeted pods (pods might be unready)');
  judge.begin();
  const { ratio, ...measured } = judge.measure(counted);
  const countsUnready = groups.unready.size > 0 && ratio > 1;
  if (!countsUnready && groups.missing.size === 0) {
    const replicas = isWithin(tolerances, ratio) ? wanted : Math.ceil(ratio * groups.ready);
    return { replicas, ...measured };
  }
  addUncounted(counted, groups, ratio, judge);
  const { ratio: corrected } = judge.measure(counted);
  const isTurned = (ratio < 1 && corrected > 1) || (ratio > 1 && corrected < 1);
  if (isWithin(tolerances, corrected) || isTurned) return { replicas: wanted, ...measured };
  const replicas = Math.ceil(corrected * counted.size);
  const isOpposite = (corrected < 1 && replicas > wanted) || (corrected > 1 && replicas < wanted);
  return { replicas: isOpposite ? wanted : replicas, ...measured };
}

function addUncounted(
  counted: PodMetricsByName,
  { missing, unready }: PodGroups,
  ratio: number,
  judge: Judge,
): void {
  const set = (pod: string, value: bigint) => counted.set(pod, { value, at: 0, window: 0 });
  if (ratio < 1) for (const pod of missing) set(pod, judge.replacement(pod));
  if (ratio > 1) for (const pod of [...missing, ...unready]) set(pod, 0n);
}

/** Measurements of Pods that are not known do not count. @throws Error if none counts */
function utilizationOf(
  metrics: PodMetricsByName,
  requests: ReadonlyMap<string, bigint>,
  target: number,
): Measured {
  let [used, requested, pods] = [0n, 0n, 0n];
  for (const [pod, { value }] of metrics) {
    const request = requests.get(pod);
    if (request === undefined) continue;
    used += value;
    requested += request;
    pods += 1n;
  }
  if (requested === 0n) throw new Error('no metrics returned matched known pods');
  const utilization = Number((used * 100n) / requested);
  return { ratio: utilization / target, utilization, usage: used / pods };
}
