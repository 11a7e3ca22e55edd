import type { Pod } from '../../model/generated/core-v1.ts';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../../model/generated/policy-v1.ts';
import type { KubernetesObject } from '../../model/object.ts';
import { labelSelectorMatches } from '../../model/object-label-selector.ts';
import { formatTime } from '../../model/time.ts';
import type { OperationContext } from '../../operations/environment.ts';
import { update } from '../../operations/update.ts';
import type { ServedResource } from '../../resources/served-resource.ts';
import { ApiError, errors } from '../../status/index.ts';
import { prefixEnd } from '../../storage/storage.ts';

const BUDGET_TEXT = "Cannot evict pod as it would violate the pod's disruption budget.";
const STILL_PROCESSED_SECONDS = 10;
/** Limit on the evictions that a budget records as unconfirmed. */
const MAXIMUM_DISRUPTED_PODS = 2000;

/** The budgets that select a pod. */
export async function guardingBudgets(
  budgets: ServedResource,
  pod: Pod,
  namespace: string,
): Promise<PodDisruptionBudget[]> {
  const { stored } = budgets;
  await stored.cache.waitFresh('latest');
  const found: PodDisruptionBudget[] = [];
  const start = stored.scope(namespace);
  stored.cache.current().scan(start, prefixEnd(start), (record) => {
    const budget = stored.decode(record) as PodDisruptionBudget;
    if (
      budget.spec?.selector !== undefined &&
      labelSelectorMatches(budget.spec.selector, pod.metadata?.labels)
    )
      found.push(budget);
    return undefined;
  });
  return found;
}

/** Whether a pod that is not ready may go without using a disruption: it is not part of what the budget keeps. */
export function allowsUnhealthy({ spec, status }: PodDisruptionBudget): boolean {
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  return currentHealthy >= desiredHealthy && desiredHealthy > 0;
}

/**
 * Uses one allowed disruption of the budget's status.
 * @throws ApiError 429 if none is left, 403 if the status is unusable
 */
export async function useDisruption(
  operation: OperationContext,
  budgetName: string,
  podName: string,
): Promise<void> {
  await update(operation, {
    name: budgetName,
    unconditional: true,
    createsWhenMissing: false,
    transform: (current) => {
      const budget = current as PodDisruptionBudget;
      budget.status ??= {} as PodDisruptionBudgetStatus;
      const { status } = budget;
      checkDisruption(budget, budgetName);
      status.disruptionsAllowed = (status.disruptionsAllowed ?? 0) - 1;
      const now = formatTime(operation.environment.now());
      if (status.disruptionsAllowed === 0) setDisruptionCondition(status, now);
      status.disruptedPods = { ...status.disruptedPods, [podName]: now };
      return budget as KubernetesObject;
    },
  });
}

function checkDisruption({ metadata, status = {} }: PodDisruptionBudget, name: string): void {
  if ((status.observedGeneration ?? 0) < (metadata?.generation ?? 0)) throw stillProcessed(name);
  const forbidden = (text: string): ApiError =>
    errors.forbidden({ group: 'policy', resource: 'poddisruptionbudget' }, name, text);
  const allowed = status.disruptionsAllowed ?? 0;
  if (allowed < 0) throw forbidden('pdb disruptions allowed is negative');
  if (Object.keys(status.disruptedPods ?? {}).length > MAXIMUM_DISRUPTED_PODS)
    throw forbidden('DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  if (allowed > 0) return;
  const { desiredHealthy = 0, currentHealthy = 0 } = status;
  throw new ApiError(429, 'TooManyRequests', BUDGET_TEXT, {
    causes: [
      {
        reason: 'DisruptionBudget',
        message: `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`,
      },
    ],
  });
}

/** The error for a budget whose status may be outdated. */
export const stillProcessed = (name: string): ApiError =>
  errors.tooManyRequestsWithCauses(BUDGET_TEXT, STILL_PROCESSED_SECONDS, [
    {
      reason: 'DisruptionBudget',
      message: `The disruption budget ${name} is still being processed by the server.`,
    },
  ]);

function setDisruptionCondition(status: PodDisruptionBudgetStatus, now: string): void {
  const conditions = status.conditions ?? [];
  const old = conditions.find(({ type }) => type === 'DisruptionAllowed');
  const next = {
    type: 'DisruptionAllowed',
    status: 'False',
    reason: 'InsufficientPods',
    message: '',
    lastTransitionTime: old?.status === 'False' ? old.lastTransitionTime : now,
    observedGeneration: status.observedGeneration,
  };
  status.conditions =
    old === undefined ? [...conditions, next] : conditions.map((one) => (one === old ? next : one));
}
