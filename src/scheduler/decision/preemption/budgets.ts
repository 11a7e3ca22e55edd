import type { LabelMatcher } from '../../objects/label-matcher.ts';
import type { PodInfo } from '../../objects/pod-info.ts';

/** What a PodDisruptionBudget allows. */
export interface Budget {
  readonly namespace: string;
  readonly selector: LabelMatcher;
  readonly disruptionsAllowed: number;
  /** Names of pods whose eviction was already counted. */
  readonly disruptedPods: ReadonlySet<string>;
}

export interface BudgetView {
  budgets(): readonly Budget[];
}

/**
 * Splits pods into those whose loss violates a budget and others, keeping their order: each budget allows the loss of
 * the first ones. An empty selector is of no pods.
 */
export function splitByBudgets(
  pods: readonly PodInfo[],
  budgets: readonly Budget[],
): { violating: PodInfo[]; others: PodInfo[] } {
  const allowed = budgets.map(({ disruptionsAllowed }) => disruptionsAllowed);
  const violating: PodInfo[] = [];
  const others: PodInfo[] = [];
  for (const pod of pods) {
    let isViolated = false;
    for (const [index, budget] of budgets.entries()) {
      if (!protects(budget, pod)) continue;
      allowed[index]! -= 1;
      if (allowed[index]! < 0) isViolated = true;
    }
    (isViolated ? violating : others).push(pod);
  }
  return { violating, others };
}

const protects = (budget: Budget, { namespace, name, labels }: PodInfo): boolean =>
  budget.namespace === namespace &&
  Object.keys(labels).length > 0 &&
  !budget.selector.isEmpty &&
  budget.selector.matches(labels) &&
  !budget.disruptedPods.has(name);
