import type { Node } from '../../model/generated/core-v1.ts';
import type { SourceObject } from '../../reader/object-source.ts';
import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import { ForeignChanges } from '../../reconcile/foreign-changes.ts';
import { OwnWrites } from '../../reconcile/own-writes.ts';
import { ENDPOINT_SLICES, NODES, PODS, SERVICES } from '../../reconcile/resources.ts';
import { type WorkQueue, type WorkResult, workloadQueue } from '../../reconcile/work-queue.ts';
import { followPods } from '../service-pods/service-selectors.ts';
import { zoneNodeOf } from './hints/zones.ts';
import { ServiceSlices } from './service-slices.ts';
import type { EndpointSlicesSettings } from './settings.ts';
import { BY_SERVICE } from './slice.ts';
import { SliceWriter } from './writer.ts';

/** Milliseconds after which changes of slices by others are looked at together. */
const FOREIGN_CHANGE_DELAY = 1000;
/** The key of the work queue for the nodes. */
const TOPOLOGY = '';

/** Writes the Pods that each Service selects to its EndpointSlices. */
export function endpointSlicesController(parts: NamedContext, settings: EndpointSlicesSettings): Controller {
  const services = parts.objects(SERVICES);
  const pods = parts.objects(PODS);
  const slices = parts.objects(ENDPOINT_SLICES);
  const nodes = parts.objects(NODES);
  const { workers, batchPeriod, maximum } = settings;
  const writes = new OwnWrites([slices]);
  const foreign = new ForeignChanges();
  const changedByOthers = (key: string): void =>
    queue.addAfter(key, Math.max(FOREIGN_CHANGE_DELAY, batchPeriod));
  const reconcile = async (key: string): Promise<WorkResult> => {
    if (key !== TOPOLOGY)
      return foreign.follow(
        key,
        () => writes.follow(key, () => controller.reconcile(key)),
        () => changedByOthers(key),
      );
    controller.followNodes();
    return 'done';
  };
  const queue: WorkQueue = workloadQueue(parts, reconcile, workers);
  const controller = new ServiceSlices({
    services,
    pods,
    slices,
    maximum,
    queue,
    topologyChanged: () => queue.add(TOPOLOGY),
    writer: new SliceWriter(parts.client(parts.user).writer()),
    events: parts.events('endpoint-slice-controller'),
    written: (key) => foreign.written(key),
  });
  services.onChange((key) => queue.add(key));
  followPods(pods, services, (key) => queue.addAfter(key, batchPeriod));
  nodes.onChange((name, node) => controller.nodeChanged(name, node && zoneNodeOf(node.peek() as Node)));
  slices.onChange((_key, current, previous) => {
    for (const key of new Set([...servicesOfSlice(current), ...servicesOfSlice(previous)]))
      if (!foreign.noticed(key) && controller.knows(key)) changedByOthers(key);
  });
  return { name: parts.name, sources: [services, pods, slices, nodes], queue };
}

const servicesOfSlice = (slice: SourceObject | undefined): readonly string[] =>
  slice === undefined ? [] : BY_SERVICE(slice);
