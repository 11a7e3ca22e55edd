import type { AddressFamily } from '../../addresses/address.ts';
import type { Service } from '../../model/generated/core-v1.ts';
import type { EndpointSlice } from '../../model/generated/discovery-v1.ts';
import type { IndexedSource } from '../../reader/object-source.ts';
import type { EventRecorder } from '../../reconcile/events/recorder.ts';
import { isManaged } from '../../reconcile/managed.ts';
import { SERVICES } from '../../reconcile/resources.ts';
import type { WorkQueue, WorkResult } from '../../reconcile/work-queue.ts';
import { podsOf, selectsPods } from '../service-pods/service-selectors.ts';
import { TriggerTimes, withTriggerTime } from '../service-pods/trigger-times.ts';
import { isUnchanged, mapWritten, NO_CHANGES, type SliceChanges } from './changes.ts';
import { TopologyHints } from './hints/topology-hints.ts';
import { type ZoneNode, zoneShares } from './hints/zones.ts';
import { familiesOf, ofOtherFamilies, planFamily, type SlicesInput } from './plan.ts';
import { BY_SERVICE, isOwnedBy, slicesOf } from './slice.ts';
import { type FailedWrite, isOutdated, type SliceWriter } from './writer.ts';

interface ServiceSlicesOptions {
  readonly services: IndexedSource;
  readonly pods: IndexedSource;
  readonly slices: IndexedSource;
  readonly maximum: number;
  readonly queue: Pick<WorkQueue, 'add' | 'charge'>;
  /** The nodes have changed: {@link ServiceSlices.followNodes} is to be called soon. */
  readonly topologyChanged: () => void;
  readonly writer: SliceWriter;
  readonly events: EventRecorder;
  /** A write for the Service of a key has succeeded. */
  readonly written: (key: string) => void;
}

/** Keeps the EndpointSlices of each Service. */
export class ServiceSlices {
  readonly #options: ServiceSlicesOptions;
  readonly #times = new TriggerTimes();
  readonly #hints = new TopologyHints();
  readonly #nodes = new Map<string, ZoneNode>();
  #isOtherTopology = true;
  /** The nodes that Pods of a Service name but that do not exist, by the key of the Service. */
  readonly #missing = new Map<string, ReadonlySet<string>>();

  constructor(options: ServiceSlicesOptions) {
    this.#options = options;
  }

  /** Whether a Service has been reconciled. */
  knows(key: string): boolean {
    return this.#times.has(key);
  }

  nodeChanged(name: string, node: ZoneNode | undefined): void {
    const { queue, topologyChanged } = this.#options;
    const before = this.#nodes.get(name);
    if (node === undefined) this.#nodes.delete(name);
    else this.#nodes.set(name, node);
    if (node === undefined || node.isReady !== before?.isReady || node.zone !== before.zone) {
      this.#isOtherTopology = true;
      topologyChanged();
    }
    if (before === undefined)
      for (const [key, missing] of this.#missing) if (missing.has(name)) queue.add(key);
  }

  /** Has the Services reconciled whose hints do not fit the nodes any more. */
  followNodes(): void {
    if (this.#isOtherTopology)
      for (const key of this.#hints.setShares(zoneShares(this.#nodes.values()))) this.#options.queue.add(key);
    this.#isOtherTopology = false;
  }

  async reconcile(key: string): Promise<WorkResult> {
    const { services, events } = this.#options;
    const service = services.get(key) as Service | undefined;
    if (service === undefined) this.#forget(key);
    if (service === undefined || !isManaged(service.metadata ?? {}) || !selectsPods(service)) return 'done';
    this.followNodes();
    const input = this.#inputOf(key, service);
    const write = this.#writerFor(key, input);
    const failures: FailedWrite[] = [];
    const problems = new Map<string, string>();
    for (const family of familiesOf(service)) {
      const { changes, skipped } = planFamily(input, family);
      for (const { name, node } of skipped)
        problems.set(`skipping Pod ${name} for Service ${key}: Node ${node} Not Found`, node);
      const hinted = this.#hints.apply(key, service, family, changes);
      failures.push(...(await write(hinted.changes)));
      for (const { type, reason, message } of hinted.events)
        events.record(SERVICES, service, type, reason, message);
    }
    failures.push(...(await write({ ...NO_CHANGES, remove: this.#takeOtherFamilies(key, input) })));
    if (problems.size > 0) this.#missing.set(key, new Set(problems.values()));
    else this.#missing.delete(key);
    if (failures.length > 0 && failures.every(isOutdated)) return 'requeue';
    this.#report(key, service, [...problems.keys(), ...failures.map(({ text }) => text)]);
    if (failures.length > 0) throw failures[0]!.error;
    return 'done';
  }

  #inputOf(key: string, service: Service): SlicesInput {
    const { pods, slices, maximum } = this.#options;
    return {
      service,
      pods: podsOf(pods, service),
      slices: slicesOf(slices, BY_SERVICE, key).filter(
        ({ metadata }) => metadata?.deletionTimestamp === undefined,
      ),
      zoneOf: (name) => this.#nodes.get(name),
      maximum,
    };
  }

  /** Writes changes of the slices of a Service, with the time of what caused them. */
  #writerFor(
    key: string,
    { service, pods }: SlicesInput,
  ): (changes: SliceChanges) => Promise<readonly FailedWrite[]> {
    const { queue, writer, written } = this.#options;
    const triggerTime = this.#times.observe(key, service, pods);
    const owner = {
      title: `Service ${key}`,
      isGoing: service.metadata?.deletionTimestamp !== undefined,
      mayReuse: (slice: EndpointSlice) => isOwnedBy(slice, service),
    };
    return async (changes) => {
      if (isUnchanged(changes)) return [];
      queue.charge(key, pods.length);
      const timed = mapWritten(changes, (slice) => ({
        ...slice,
        metadata: {
          ...slice.metadata,
          annotations: withTriggerTime(slice.metadata?.annotations, triggerTime),
        },
      }));
      const failure = await writer.write(owner, timed, () => written(key));
      return failure === undefined ? [] : [failure];
    };
  }

  /** The slices of families that the Service does not have any more: their hints are forgotten. */
  #takeOtherFamilies(key: string, input: SlicesInput): readonly EndpointSlice[] {
    const others = ofOtherFamilies(input);
    for (const { addressType } of others) this.#hints.remove(key, addressType as AddressFamily);
    return others;
  }

  #report(key: string, service: Service, texts: readonly string[]): void {
    const problems = [...new Set(texts)];
    if (problems.length === 0) return;
    const text = problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`;
    this.#options.events.record(
      SERVICES,
      service,
      'Warning',
      'FailedToUpdateEndpointSlices',
      `Error updating Endpoint Slices for Service ${key}: ${text}`,
    );
  }

  #forget(key: string): void {
    this.#times.forget(key);
    this.#hints.forget(key);
    this.#missing.delete(key);
  }
}
