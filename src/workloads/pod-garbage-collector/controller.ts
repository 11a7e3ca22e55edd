import type { Node, Pod } from '../../model/generated/core-v1.ts';
import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import { NODES, PODS } from '../../reconcile/resources.ts';
import { controllerQueue } from '../../reconcile/work-queue.ts';
import { isOutOfService, traitsOf } from './candidates.ts';
import { PodGarbage } from './pod-garbage.ts';

/**
 * Deletes Pods that nobody else deletes: finished ones beyond a number, those of nodes that are gone or out of service,
 * and terminating ones that were never bound.
 * @param threshold number of finished Pods that are kept; 0 or less: all
 */
export function podGarbageCollector(parts: NamedContext, threshold: number): Controller {
  const nodes = parts.objects(NODES);
  const pods = parts.objects(PODS);
  const garbage: PodGarbage = new PodGarbage({
    threshold,
    pods,
    nodes,
    client: parts.client(parts.user),
    checkAfter: (wait) => queue.addAfter('', wait),
    now: parts.clusterClock.now,
  });
  const queue = controllerQueue(parts, parts.name, async () => {
    await garbage.collect();
    return 'done';
  });
  nodes.onChange((name, node) => {
    garbage.nodeChanged(name, node !== undefined, node !== undefined && isOutOfService(node.peek() as Node));
  });
  pods.onChange((key, pod) => {
    garbage.podChanged(key, pod && traitsOf(pod.peek() as Pod));
  });
  return { name: parts.name, sources: [nodes, pods], queue };
}
