import type { Endpoints, Service } from '../../model/generated/core-v1.ts';
import type { IndexedSource, SourceObject } from '../../reader/object-source.ts';
import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import type { EventRecorder } from '../../reconcile/events/recorder.ts';
import { ForeignChanges } from '../../reconcile/foreign-changes.ts';
import { isManaged } from '../../reconcile/managed.ts';
import { OwnWrites } from '../../reconcile/own-writes.ts';
import { ENDPOINT_SLICES, ENDPOINTS, SERVICES } from '../../reconcile/resources.ts';
import { type WorkQueue, type WorkResult, workloadQueue } from '../../reconcile/work-queue.ts';
import { runInBackground } from '../../steps/run.ts';
import { NO_CHANGES, type SliceChanges } from '../endpoint-slices/changes.ts';
import { slicesOf } from '../endpoint-slices/slice.ts';
import { isOutdated, SliceWriter } from '../endpoint-slices/writer.ts';
import { hasSelector } from '../service-pods/service-selectors.ts';
import { MAXIMUM_SUBSETS } from './canonical-subsets.ts';
import { type MirrorPlan, planMirror } from './mirror.ts';
import { BY_ENDPOINTS, isMirrored } from './mirror-slice.ts';
import type { MirroringSettings } from './settings.ts';

/** Writes the Endpoints of Services that select no Pods to EndpointSlices. */
export function endpointSliceMirroringController(
  parts: NamedContext,
  { workers, batchPeriod, maximum }: MirroringSettings,
): Controller {
  const services = parts.objects(SERVICES);
  const endpoints = parts.objects(ENDPOINTS);
  const slices = parts.objects(ENDPOINT_SLICES);
  const writes = new OwnWrites([slices]);
  const foreign = new ForeignChanges();
  const mirror = new Mirror({
    services,
    endpoints,
    slices,
    maximum,
    writer: new SliceWriter(parts.client(parts.user).writer()),
    events: parts.events('endpoint-slice-mirroring-controller'),
    written: (key) => foreign.written(key),
  });
  const changedByOthers = (key: string): void => queue.addAfter(key, batchPeriod);
  const queue: WorkQueue = workloadQueue(
    parts,
    (key) =>
      foreign.follow(
        key,
        () => writes.follow(key, () => mirror.reconcile(key)),
        () => changedByOthers(key),
      ),
    workers,
  );
  services.onChange((key, current, previous) => {
    const [now, before] = [isWithoutSelector(current), isWithoutSelector(previous)];
    if (current !== undefined && previous !== undefined ? now !== before : now || before) queue.add(key);
  });
  endpoints.onChange((key, current, previous) => {
    if (mayBeMirrored(current) || mayBeMirrored(previous)) queue.add(key);
  });
  slices.onChange((_key, current, previous) => {
    for (const key of new Set([...endpointsOf(current), ...endpointsOf(previous)]))
      if (!foreign.noticed(key)) changedByOthers(key);
  });
  return { name: parts.name, sources: [services, endpoints, slices], queue };
}

const isWithoutSelector = (service: SourceObject | undefined): boolean =>
  service !== undefined && !hasSelector(service.peek() as Service);

const mayBeMirrored = (endpoints: SourceObject | undefined): boolean =>
  endpoints !== undefined && isMirrored(endpoints.metadata());

const endpointsOf = (slice: SourceObject | undefined): readonly string[] =>
  slice === undefined ? [] : BY_ENDPOINTS(slice);

interface MirrorOptions {
  readonly services: IndexedSource;
  readonly endpoints: IndexedSource;
  readonly slices: IndexedSource;
  readonly maximum: number;
  readonly writer: SliceWriter;
  readonly events: EventRecorder;
  /** A write for the Endpoints of a key has succeeded. */
  readonly written: (key: string) => void;
}

class Mirror {
  readonly #options: MirrorOptions;

  constructor(options: MirrorOptions) {
    this.#options = options;
  }

  async reconcile(key: string): Promise<WorkResult> {
    const { services, endpoints: all, slices, maximum } = this.#options;
    const endpoints = all.get(key) as Endpoints | undefined;
    if (!isManaged(endpoints?.metadata ?? {})) return 'done';
    const existing = slicesOf(slices, BY_ENDPOINTS, key);
    const service = services.get(key) as Service | undefined;
    if (
      endpoints === undefined ||
      service === undefined ||
      !isMirrored(endpoints.metadata ?? {}) ||
      hasSelector(service)
    )
      return this.#write(key, false, { ...NO_CHANGES, remove: existing });
    const plan = await runInBackground(planMirror(endpoints, existing, maximum));
    this.#report(endpoints, plan);
    return this.#write(key, endpoints.metadata?.deletionTimestamp !== undefined, plan.changes);
  }

  #report(endpoints: Endpoints, { invalid, skipped, omitted }: MirrorPlan): void {
    const { events, maximum } = this.#options;
    const warn = (reason: string, message: string): void =>
      events.record(ENDPOINTS, endpoints, 'Warning', reason, message);
    if (invalid > 0)
      warn('InvalidIPAddress', `Skipped ${invalid} invalid IP addresses when mirroring to EndpointSlices`);
    if (skipped > invalid)
      warn(
        'TooManyAddressesToMirror',
        `A max of ${maximum} addresses can be mirrored to EndpointSlices per Endpoints subset. ${skipped} addresses were skipped`,
      );
    if (omitted > 0)
      warn(
        'TooManySubsetsToMirror',
        `A max of ${MAXIMUM_SUBSETS} sets of ports can be mirrored to EndpointSlices per Endpoints. ${omitted} were skipped`,
      );
  }

  async #write(key: string, isGoing: boolean, changes: SliceChanges): Promise<WorkResult> {
    const { writer, written } = this.#options;
    const owner = { title: `Endpoints ${key}`, isGoing, mayReuse: () => true };
    const failure = await writer.write(owner, changes, () => written(key));
    if (failure === undefined) return 'done';
    if (isOutdated(failure)) return 'requeue';
    throw failure.error;
  }
}
