import type { Node, Pod, Taint } from '../../model/generated/core-v1.ts';
import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import { BY_NODE } from '../../reconcile/indexes.ts';
import { isManaged } from '../../reconcile/managed.ts';
import { NODES, PODS } from '../../reconcile/resources.ts';
import { controllerQueue, type WorkResult } from '../../reconcile/work-queue.ts';
import { Evictions } from './evictions.ts';
import { evictingTaints } from './tolerated.ts';

/** Keys of nodes in the queue begin with it; those of Pods have their namespace before. */
const NODE_KEY = '/';

/** Evicts the Pods of nodes with taints `NoExecute` that they do not tolerate, or not any more. */
export function taintEvictionController(parts: NamedContext): Controller {
  const nodes = parts.objects(NODES);
  const pods = parts.objects(PODS);
  const taintsOf = new Map<string, readonly Taint[]>();
  const evictions: Evictions = new Evictions({
    pods,
    taintsOf: (node) => taintsOf.get(node) ?? [],
    client: parts.client(parts.user),
    events: parts.events(parts.name),
    addAfter: (key, wait) => queue.addAfter(key, wait),
    now: parts.clusterClock.now,
  });
  const work = async (key: string): Promise<WorkResult> => {
    if (!key.startsWith(NODE_KEY)) {
      await evictions.reconcile(key);
      return 'done';
    }
    // Pods are watched once the first node has such a taint.
    pods.start();
    await pods.synced;
    for (const [pod] of [...pods.find(BY_NODE, key.slice(NODE_KEY.length))]) queue.add(pod);
    return 'done';
  };
  const queue = controllerQueue(parts, parts.name, work);
  nodes.onChange((name, node) => {
    const object = node?.peek() as Node | undefined;
    const isEvicting = object !== undefined && isManaged(object.metadata ?? {});
    const taints = isEvicting ? evictingTaints(object.spec?.taints) : [];
    const before = taintsOf.get(name);
    if (taints.length > 0) taintsOf.set(name, taints);
    else taintsOf.delete(name);
    if (JSON.stringify(taints) !== JSON.stringify(before ?? [])) queue.add(NODE_KEY + name);
  });
  pods.onChange((key, pod) => {
    if (pod === undefined) evictions.forget(key);
    else if (taintsOf.size > 0 && taintsOf.has((pod.peek() as Pod).spec?.nodeName ?? '')) queue.add(key);
  });
  const podsWhenNeeded = { start: () => undefined, synced: Promise.resolve(), stop: () => pods.stop() };
  return { name: parts.name, sources: [nodes, podsWhenNeeded], queue };
}
