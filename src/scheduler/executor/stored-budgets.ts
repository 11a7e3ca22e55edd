import type { PodDisruptionBudget } from '../../model/generated/policy-v1.ts';
import type { IndexedSource } from '../../reader/object-source.ts';
import type { NamedContext } from '../../reconcile/controller.ts';
import type { Budget, BudgetView } from '../decision/preemption/budgets.ts';
import { labelMatcher } from '../objects/label-matcher.ts';
import { BUDGETS } from '../resources.ts';
import { SourceGroup } from './source-group.ts';

/** The PodDisruptionBudgets of this server. */
export class StoredBudgets implements BudgetView {
  readonly #source: IndexedSource;
  readonly group: SourceGroup;

  constructor({ objects }: Pick<NamedContext, 'objects'>) {
    this.#source = objects(BUDGETS);
    this.group = new SourceGroup(this.#source);
  }

  budgets(): Budget[] {
    return Array.from(this.#source.entries(), ([, { object }]) => readBudget(object as PodDisruptionBudget));
  }
}

const readBudget = ({ metadata, spec, status }: PodDisruptionBudget): Budget => ({
  namespace: metadata?.namespace ?? '',
  selector: labelMatcher(spec?.selector),
  disruptionsAllowed: status?.disruptionsAllowed ?? 0,
  disruptedPods: new Set(Object.keys(status?.disruptedPods ?? {})),
});
