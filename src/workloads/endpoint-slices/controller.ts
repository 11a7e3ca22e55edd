import type { AddressFamily } from '../../addresses/address.ts';
import type { Node, Service } from '../../model/generated/core-v1.ts';
import type { EndpointSlice } from '../../model/generated/discovery-v1.ts';
import type { IndexedSource, SourceObject } from '../../reader/object-source.ts';
import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import type { EventRecorder } from '../../reconcile/events/recorder.ts';
import { ForeignChanges } from '../../reconcile/foreign-changes.ts';
import { isManaged } from '../../reconcile/managed.ts';
import { OwnWrites } from '../../reconcile/own-writes.ts';
import { ENDPOINT_SLICES, NODES, PODS, SERVICES } from '../../reconcile/resources.ts';
import { type WorkQueue, type WorkResult, workloadQueue } from '../../reconcile/work-queue.ts';
import { followPods, podsOf, selectsPods } from '../service-pods/service-selectors.ts';
import { TriggerTimes, withTriggerTime } from '../service-pods/trigger-times.ts';
import { isUnchanged, mapWritten, NO_CHANGES, type SliceChanges } from './changes.ts';
import { TopologyHints } from './hints/topology-hints.ts';
import { type ZoneNode, zoneNodeOf, zoneShares } from './hints/zones.ts';
import { familiesOf, ofOtherFamilies, planFamily, type SlicesInput } from './plan.ts';
import { BY_SERVICE, isOwnedBy } from './slice.ts';
import { type FailedWrite, isOutdated, SliceWriter } from './writer.ts';

/** Milliseconds after which changes of slices by others are looked at together. */
const FOREIGN_CHANGE_DELAY = 1000;
/** The key of the work queue for the nodes. */
const TOPOLOGY = '';

export interface EndpointSlicesSettings {
  /** Services at the same time. */
  readonly workers: number;
  /** Milliseconds of the cluster by which a change of a Pod waits for others. */
  readonly batchPeriod: number;
  /** Most endpoints of a slice. */
  readonly maximum: number;
}

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
  const queue: WorkQueue = workloadQueue(
    parts,
    (key) =>
      key === TOPOLOGY
        ? controller.followNodes()
        : foreign.follow(
            key,
            () => writes.follow(key, () => controller.reconcile(key)),
            () => changedByOthers(key),
          ),
    workers,
  );
  const controller = new EndpointSlicesController({
    services,
    pods,
    slices,
    maximum,
    queue,
    writer: new SliceWriter(parts.client(parts.user)),
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

interface EndpointSlicesOptions {
  readonly services: IndexedSource;
  readonly pods: IndexedSource;
  readonly slices: IndexedSource;
  readonly maximum: number;
  readonly queue: Pick<WorkQueue, 'add' | 'charge'>;
  readonly writer: SliceWriter;
  readonly events: EventRecorder;
  /** A write for the Service of a key has succeeded. */
  readonly written: (key: string) => void;
}

class EndpointSlicesController {
  readonly #options: EndpointSlicesOptions;
  readonly #times = new TriggerTimes();
  readonly #hints = new TopologyHints();
  readonly #nodes = new Map<string, ZoneNode>();
  #isOtherTopology = true;
  /** The nodes that Pods of a Service name but that do not exist, by the key of the Service. */
  readonly #missing = new Map<string, ReadonlySet<string>>();

  constructor(options: EndpointSlicesOptions) {
    this.#options = options;
  }

  /** Whether a Service has been reconciled. */
  knows(key: string): boolean {
    return this.#times.has(key);
  }

  nodeChanged(name: string, node: ZoneNode | undefined): void {
    const { queue } = this.#options;
    const before = this.#nodes.get(name);
    if (node === undefined) this.#nodes.delete(name);
    else this.#nodes.set(name, node);
    if (node === undefined || node.isReady !== before?.isReady || node.zone !== before.zone) {
      this.#isOtherTopology = true;
      queue.add(TOPOLOGY);
    }
    if (before === undefined)
      for (const [key, missing] of this.#missing) if (missing.has(name)) queue.add(key);
  }

  /** Has the Services reconciled whose hints do not fit the nodes any more. */
  async followNodes(): Promise<WorkResult> {
    if (this.#isOtherTopology)
      for (const key of this.#hints.setShares(zoneShares(this.#nodes.values()))) this.#options.queue.add(key);
    this.#isOtherTopology = false;
    return 'done';
  }

  async reconcile(key: string): Promise<WorkResult> {
    const { services, pods, slices, maximum, queue, events } = this.#options;
    const service = services.get(key) as Service | undefined;
    if (service === undefined) this.#forget(key);
    if (service === undefined || !isManaged(service.metadata ?? {}) || !selectsPods(service)) return 'done';
    await this.followNodes();
    const selected = podsOf(pods, service);
    const input: SlicesInput = {
      service,
      pods: selected,
      slices: Array.from(slices.find(BY_SERVICE, key), ([, { object }]) => object as EndpointSlice).filter(
        ({ metadata }) => metadata?.deletionTimestamp === undefined,
      ),
      zoneOf: (name) => this.#nodes.get(name),
      maximum,
    };
    const triggerTime = this.#times.observe(key, service, selected);
    const failures: FailedWrite[] = [];
    const skipped = new Map<string, string>();
    const write = async (changes: SliceChanges): Promise<void> => {
      if (isUnchanged(changes)) return;
      queue.charge(key, selected.length);
      failures.push(...(await this.#write(key, service, changes, triggerTime)));
    };
    for (const family of familiesOf(service)) {
      const { changes, problems } = this.#plan(key, input, family);
      for (const { node, text } of problems) skipped.set(text, node);
      await write(changes);
    }
    await write({ ...NO_CHANGES, remove: ofOtherFamilies(input) });
    if (skipped.size > 0) this.#missing.set(key, new Set(skipped.values()));
    else this.#missing.delete(key);
    if (failures.length > 0 && failures.every(isOutdated)) return 'requeue';
    const texts = new Set([...skipped.keys(), ...failures.map(({ text }) => text)]);
    if (texts.size === 0) return 'done';
    events.record(
      SERVICES,
      service,
      'Warning',
      'FailedToUpdateEndpointSlices',
      `Error updating Endpoint Slices for Service ${key}: ${joined([...texts])}`,
    );
    if (failures.length > 0) throw failures[0]!.error;
    return 'requeue';
  }
}
