import type { Pod } from '../../model/generated/core-v1.ts';
import type { PodDisruptionBudget } from '../../model/generated/policy-v1.ts';
import { labelSelectorMatches } from '../../model/object-label-selector.ts';
import type { ObjectSource, SourceObject } from '../../reader/object-source.ts';
import type { Controller, NamedContext, Source } from '../../reconcile/controller.ts';
import type { EventRecorder } from '../../reconcile/events/recorder.ts';
import {
  DEPLOYMENTS,
  POD_DISRUPTION_BUDGETS,
  PODS,
  REPLICA_SETS,
  REPLICATION_CONTROLLERS,
  STATEFUL_SETS,
} from '../../reconcile/resources.ts';
import type { ServedKinds } from '../../reconcile/scale.ts';
import { type WorkQueue, workloadQueue } from '../../reconcile/work-queue.ts';
import { BudgetReconciler } from './reconciler.ts';
import { resetStaleTarget, untilStale } from './stale-targets.ts';

/** Keys of Pods in the queue begin with it; those of budgets have their namespace before. */
const POD_KEY = '/';

/** Budgets and Pods at the same time. */
const WORKERS = 1;

/**
 * Says in the status of each budget how many of its Pods may be disrupted, and takes back that a Pod is about to be
 * deleted which is not.
 */
export function disruptionController(parts: NamedContext, kinds: ServedKinds): Controller {
  const budgets = parts.objects(POD_DISRUPTION_BUDGETS);
  const pods = parts.objects(PODS);
  const owners = {
    replicationControllers: parts.objects(REPLICATION_CONTROLLERS),
    replicaSets: parts.objects(REPLICA_SETS),
    deployments: parts.objects(DEPLOYMENTS),
    statefulSets: parts.objects(STATEFUL_SETS),
  };
  const client = parts.client(parts.user);
  const events = parts.events('controllermanager');
  const { now } = parts.clusterClock;
  const reconciler = new BudgetReconciler({
    budgets,
    pods,
    // Owners of Pods are read once a budget depends on their scale.
    scales: { ...owners, client, kinds, started: () => startAll(Object.values(owners)) },
    client,
    events,
    addAfter: (key, wait) => queue.addAfter(key, wait),
    now,
  });
  const queue: WorkQueue = workloadQueue(
    parts,
    async (key) => {
      if (!key.startsWith(POD_KEY)) return reconciler.reconcile(key);
      const wait = await resetStaleTarget({ pods, client, now }, key.slice(POD_KEY.length));
      if (wait !== undefined) queue.addAfter(key, wait);
      return 'done';
    },
    WORKERS,
  );
  budgets.onChange((key, budget) => {
    if (budget !== undefined) queue.add(key);
  });
  pods.onChange((key, current, previous) => {
    for (const pod of [current, previous]) {
      const budget = pod && budgetOf(budgets, pod, events);
      if (budget !== undefined) queue.add(budget);
    }
    const wait = current && untilStale(current.peek() as Pod, now());
    if (wait !== undefined) queue.addAfter(POD_KEY + key, wait);
  });
  const ownersWhenNeeded: Source = {
    start: () => undefined,
    synced: Promise.resolve(),
    stop: async () => {
      await Promise.all(Object.values(owners).map((source) => source.stop()));
    },
  };
  return { name: parts.name, sources: [budgets, pods, ownersWhenNeeded], queue };
}

async function startAll(sources: readonly ObjectSource[]): Promise<void> {
  for (const source of sources) source.start();
  await Promise.all(sources.map(({ synced }) => synced));
}

/** The key of the budget that follows a Pod: of several ones, the first. */
function budgetOf(budgets: ObjectSource, pod: SourceObject, events: EventRecorder): string | undefined {
  const metadata = pod.metadata();
  const found: [key: string, name: string][] = [];
  for (const [key, { object }] of budgets.entries(metadata.namespace)) {
    const { spec, metadata: { name = '' } = {} } = object as PodDisruptionBudget;
    if (labelSelectorMatches(spec?.selector, metadata.labels)) found.push([key, name]);
  }
  if (found.length > 1) {
    const message = `Pod "${metadata.namespace}"/"${metadata.name}" matches multiple PodDisruptionBudgets.  Chose "${found[0]![1]}" arbitrarily.`;
    events.record(PODS, pod.peek(), 'Warning', 'MultiplePodDisruptionBudgets', message);
  }
  return found[0]?.[0];
}
