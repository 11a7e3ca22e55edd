import type { DaemonSet } from '../../model/generated/apps-v1.ts';
import type { ObjectMeta } from '../../model/object.ts';
import { labelSelectorMatches } from '../../model/object-label-selector.ts';
import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import { controllerOf } from '../../reconcile/indexes.ts';
import { OwnWrites } from '../../reconcile/own-writes.ts';
import { followOwned } from '../../reconcile/owned.ts';
import { CONTROLLER_REVISIONS, DAEMON_SETS, NODES, PODS } from '../../reconcile/resources.ts';
import { type WorkQueue, workloadQueue } from '../../reconcile/work-queue.ts';
import { NodePlaces } from './node-places.ts';
import { NOWHERE, type NodePlace, type Placement, placements } from './placement.ts';
import { DaemonReconciler } from './reconciler.ts';

/**
 * Keeps a Pod of each DaemonSet on every node that it may run on.
 * @param workers DaemonSets at the same time
 */
export function daemonSetController(parts: NamedContext, workers: number): Controller {
  const daemonSets = parts.objects(DAEMON_SETS);
  const pods = parts.objects(PODS);
  const revisions = parts.objects(CONTROLLER_REVISIONS);
  const nodes = parts.objects(NODES);
  const writes = new OwnWrites([daemonSets, pods, revisions]);
  const queue: WorkQueue = workloadQueue(
    parts,
    (key) => writes.follow(key, () => reconciler.reconcile(key)),
    workers,
  );
  const add = (key: string): void => queue.add(key);
  const places = new NodePlaces(nodes, (current, previous) => {
    for (const [key, { object }] of daemonSets.entries())
      if (isMoved(placements(object as DaemonSet), current, previous)) queue.add(key);
  });
  const reconciler = new DaemonReconciler({
    daemonSets,
    pods,
    revisions,
    places,
    queue,
    client: parts.client(parts.user),
    events: parts.events('daemonset-controller'),
    now: parts.clusterClock.now,
  });
  daemonSets.onChange((key, daemonSet) => {
    if (daemonSet !== undefined) queue.add(key);
  });
  const followed = { owners: daemonSets, kind: DAEMON_SETS.kind, selects, changed: add };
  followOwned({ ...followed, owned: pods });
  followOwned({
    ...followed,
    owned: revisions,
    // A revision that another client makes for a DaemonSet counts from the next change on, as in the reference.
    changed(key, current, previous) {
      const isMade = previous === undefined && current !== undefined;
      if (!isMade || controllerOf(current.metadata()) === undefined) queue.add(key);
    },
  });
  return { name: parts.name, sources: [daemonSets, pods, revisions, nodes], queue };
}

const selects = ({ object }: { readonly object: DaemonSet }, { labels }: ObjectMeta): boolean =>
  labelSelectorMatches(object.spec?.selector, labels);

/** Whether a change of a node concerns its Pods. */
function isMoved(
  placementOf: (node: NodePlace) => Placement,
  current: NodePlace | undefined,
  previous: NodePlace | undefined,
): boolean {
  const now = current === undefined ? NOWHERE : placementOf(current);
  const before = previous === undefined ? NOWHERE : placementOf(previous);
  return now.runs !== before.runs || now.stays !== before.stays;
}
