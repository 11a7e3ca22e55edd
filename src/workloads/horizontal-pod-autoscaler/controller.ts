import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import type { PodMetrics } from '../../reconcile/pods/pod-usage.ts';
import { HORIZONTAL_POD_AUTOSCALERS, PODS } from '../../reconcile/resources.ts';
import type { ServedKinds } from '../../reconcile/scale.ts';
import { controllerQueue, type WorkQueue } from '../../reconcile/work-queue.ts';
import { ApiMetrics } from './api-metrics.ts';
import { ownMetrics } from './own-metrics.ts';
import { AutoscalerReconciler } from './reconciler.ts';
import type { AutoscalerSettings } from './settings.ts';

export interface AutoscalerNeeds {
  readonly settings: AutoscalerSettings;
  readonly kinds: ServedKinds;
  /** Whether an extension server is registered for a version of a group. */
  readonly isRemote: (group: string, version: string) => boolean;
  /** Measurements of the Pods that the server plays; undefined if it plays none. */
  readonly podMetrics: PodMetrics | undefined;
}

/** Scales objects by what their Pods use, or by other measurements, once in each period. */
export function horizontalPodAutoscalerController(
  parts: NamedContext,
  { settings, kinds, isRemote, podMetrics }: AutoscalerNeeds,
): Controller {
  const autoscalers = parts.objects(HORIZONTAL_POD_AUTOSCALERS);
  const pods = parts.objects(PODS);
  const client = parts.client(parts.user);
  const api = new ApiMetrics({ client, isServed: isRemote, kinds });
  const yields = (): boolean => isRemote('metrics.k8s.io', 'v1beta1');
  const reconciler = new AutoscalerReconciler({
    autoscalers,
    pods,
    client,
    kinds,
    metrics: podMetrics === undefined ? api : ownMetrics({ podMetrics, api, yields }),
    events: parts.events('horizontal-pod-autoscaler'),
    settings,
    now: parts.clusterClock.now,
  });
  const queue: WorkQueue = controllerQueue(
    parts,
    parts.name,
    async (key) => {
      try {
        await reconciler.reconcile(key);
      } catch (error) {
        // It is in the conditions. The next attempt is that of the next period.
        parts.logger.detail(2, 'autoscaling failed', { autoscaler: key, err: (error as Error).message });
      }
      if (autoscalers.has(key)) queue.addAfter(key, settings.syncPeriod);
      return 'done';
    },
    settings.workers,
  );
  // Every change waits for the period: a status that was written must not lead to the next decision.
  autoscalers.onChange((key, autoscaler) => {
    if (autoscaler === undefined) reconciler.forget(key);
    else queue.addAfter(key, settings.syncPeriod);
  });
  return { name: parts.name, sources: [autoscalers, pods], queue };
}
