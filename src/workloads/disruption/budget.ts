import type { Pod } from '../../model/generated/core-v1.ts';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../../model/generated/policy-v1.ts';
import { type IntOrString, resolvePercentage } from '../../model/int-or-string.ts';
import { timeToMilliseconds } from '../../model/time.ts';
import { isSame } from '../../reconcile/equality.ts';
import { isReady } from '../../reconcile/pods/pod-state.ts';
import { allowance, isAllowanceCurrent } from './allowance.ts';

/** Time within which an evicted Pod is expected to be deleted, milliseconds. */
const DELETION_TIMEOUT = 120_000;

/** What Pods a budget counts on. */
export interface Expected {
  readonly pods: number;
  readonly healthy: number;
}

/** Whether the number of expected Pods is what their controllers want, not the number of those that there are. */
export const dependsOnScale = ({ spec = {} }: PodDisruptionBudget): boolean =>
  spec.maxUnavailable !== undefined || typeof spec.minAvailable === 'string';

/**
 * How many Pods are expected, and how many of these are to stay healthy. Percentages are rounded up.
 * @param pods number of the Pods, or what their controllers want if the budget {@link dependsOnScale}
 * @throws Error for a text that is no percentage
 */
export function expected({ spec = {} }: PodDisruptionBudget, pods: number): Expected {
  const { maxUnavailable, minAvailable } = spec;
  if (maxUnavailable !== undefined)
    return { pods, healthy: Math.max(0, pods - countOf(maxUnavailable, pods)) };
  return minAvailable === undefined
    ? { pods: 0, healthy: 0 }
    : { pods, healthy: countOf(minAvailable, pods) };
}

function countOf(value: IntOrString, pods: number): number {
  const count = resolvePercentage(value, pods, true);
  if (count === undefined)
    throw new Error('invalid value for IntOrString: invalid type: string is not a percentage');
  return count;
}

/** The evicted Pods of a budget that are not being deleted yet. */
export interface Disrupted {
  /** When each was evicted, by name. */
  readonly pods: Readonly<Record<string, string>>;
  /** Those that should have been deleted long ago, and count as staying. */
  readonly staying: readonly Pod[];
  /** Milliseconds until the next of them should have been deleted; undefined if there are none. */
  readonly again: number | undefined;
}

/** @param now milliseconds since the epoch */
export function disrupted(budget: PodDisruptionBudget, pods: readonly Pod[], now: number): Disrupted {
  const known = budget.status?.disruptedPods ?? {};
  const found: [name: string, evicted: string][] = [];
  const staying: Pod[] = [];
  let again: number | undefined;
  for (const pod of pods) {
    const { name = '', deletionTimestamp } = pod.metadata ?? {};
    if (deletionTimestamp !== undefined || !Object.hasOwn(known, name)) continue;
    const wait = timeToMilliseconds(known[name]!) + DELETION_TIMEOUT - now;
    if (wait < 0) staying.push(pod);
    else {
      found.push([name, known[name]!]);
      again = Math.min(again ?? wait, wait);
    }
  }
  return { pods: Object.fromEntries(found), staying, again };
}

/** Number of Pods that are ready, and not about to go. */
const healthy = (pods: readonly Pod[], { pods: going }: Disrupted): number =>
  pods.filter(
    (pod) =>
      pod.metadata?.deletionTimestamp === undefined &&
      !Object.hasOwn(going, pod.metadata?.name ?? '') &&
      isReady(pod),
  ).length;

/**
 * The status of a budget. Without expected Pods it allows nothing: the first ones may just be coming.
 * @returns undefined if the budget says so
 */
export function budgetStatus(
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
  { pods: expectedPods, healthy: desiredHealthy }: Expected,
  going: Disrupted,
  now: number,
): PodDisruptionBudgetStatus | undefined {
  const { status = {}, metadata = {} } = budget;
  const currentHealthy = healthy(pods, going);
  const counts = {
    currentHealthy,
    desiredHealthy,
    expectedPods,
    disruptionsAllowed: expectedPods > 0 ? Math.max(0, currentHealthy - desiredHealthy) : 0,
    observedGeneration: metadata.generation ?? 0,
  };
  const isCurrent =
    Object.entries(counts).every(([name, count]) => (status[name as keyof typeof counts] ?? 0) === count) &&
    isSame(Object.entries(status.disruptedPods ?? {}).sort(), Object.entries(going.pods).sort()) &&
    isAllowanceCurrent(status);
  if (isCurrent) return undefined;
  return {
    ...counts,
    ...(Object.keys(going.pods).length > 0 && { disruptedPods: going.pods }),
    conditions: allowance(status.conditions, counts, now),
  };
}
