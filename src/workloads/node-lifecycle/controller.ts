import type { Lease } from '../../model/generated/coordination-v1.ts';
import type { Node, Pod } from '../../model/generated/core-v1.ts';
import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import { isManaged } from '../../reconcile/managed.ts';
import { LEASES, NODES, PODS } from '../../reconcile/resources.ts';
import { controllerQueue } from '../../reconcile/work-queue.ts';
import { NodeLifecycle } from './node-lifecycle.ts';
import { recordOf } from './node-record.ts';
import type { NodeLifecycleSettings } from './settings.ts';

const LEASE_NAMESPACE = 'kube-node-lease';

/**
 * Watches the health of nodes: marks those whose kubelet is silent, taints nodes by their conditions, and has the Pods
 * of nodes evicted that are not ready, at a rate for each zone.
 * @param isLive whether a node is known to be alive although its Lease is old, since the time of the cluster was advanced
 */
export function nodeLifecycleController(
  parts: NamedContext,
  settings: NodeLifecycleSettings,
  isLive: (node: string) => boolean,
): Controller {
  const nodes = parts.objects(NODES);
  const leases = parts.objects(LEASES);
  const pods = parts.objects(PODS);
  const lifecycle: NodeLifecycle = new NodeLifecycle({
    settings,
    isLive,
    nodes,
    pods,
    client: parts.client(parts.user),
    events: parts.events('node-controller'),
    queue: () => queue,
    now: parts.clusterClock.now,
  });
  const queue = controllerQueue(parts, parts.name, (key) => lifecycle.reconcile(key));
  nodes.onChange((name, node, previous) => {
    const object = node?.peek() as Node | undefined;
    if (object === undefined) lifecycle.nodeRemoved(name, previous?.peek() as Node | undefined);
    else if (isManaged(object.metadata ?? {})) lifecycle.nodeChanged(recordOf(object), object);
    else lifecycle.nodeRemoved(name, undefined);
  });
  leases.onChange((key, lease) => {
    const [namespace, name = ''] = key.split('/');
    if (namespace === LEASE_NAMESPACE && lease !== undefined)
      lifecycle.leaseChanged(name, (lease.peek() as Lease).spec?.renewTime ?? '');
  });
  pods.onChange((_key, pod, previous) => {
    if (pod === undefined || !lifecycle.hasUnreadyNodes) return;
    const nodeName = (pod.peek() as Pod).spec?.nodeName ?? '';
    if (nodeName !== (previous?.peek() as Pod | undefined)?.spec?.nodeName) lifecycle.podBound(nodeName);
  });
  const podsWhenNeeded = { start: () => undefined, synced: Promise.resolve(), stop: () => pods.stop() };
  return { name: parts.name, sources: [leases, nodes, podsWhenNeeded], queue };
}
