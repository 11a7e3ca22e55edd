import type { Endpoints, Service } from '../../model/generated/core-v1.ts';
import type { ObjectMeta } from '../../model/object.ts';
import { timeToMilliseconds } from '../../model/time.ts';
import type { Writer } from '../../reconcile/client.ts';
import type { Controller, NamedContext } from '../../reconcile/controller.ts';
import type { EventRecorder } from '../../reconcile/events/recorder.ts';
import { isManaged } from '../../reconcile/managed.ts';
import { OwnWrites } from '../../reconcile/own-writes.ts';
import { ENDPOINTS, PODS, SERVICES } from '../../reconcile/resources.ts';
import { ignoreSettledErrors, isNamespaceTerminating } from '../../reconcile/settled-errors.ts';
import { type WorkQueue, type WorkResult, workloadQueue } from '../../reconcile/work-queue.ts';
import { ApiError } from '../../status/index.ts';
import { followPods, podsOf, selectsPods } from '../service-pods/service-selectors.ts';
import { TriggerTimes } from '../service-pods/trigger-times.ts';
import { changedEndpoints, electsLeader } from './endpoints.ts';
import type { EndpointsSettings } from './settings.ts';

/** Writes the addresses of the Pods that each Service selects to the Endpoints of its name. */
export function endpointsController(
  parts: NamedContext,
  { workers, batchPeriod }: EndpointsSettings,
): Controller {
  const services = parts.objects(SERVICES);
  const pods = parts.objects(PODS);
  const endpoints = parts.objects(ENDPOINTS);
  const writes = new OwnWrites([endpoints]);
  const writer = new EndpointsWriter(parts.client(parts.user).writer(), parts.events('endpoint-controller'));
  const times = new TriggerTimes();
  /** Services that were deleted, and whose Endpoints are to be deleted. */
  const removed = new Set<string>();

  const reconcile = async (key: string): Promise<WorkResult> => {
    const service = services.get(key) as Service | undefined;
    const current = endpoints.get(key) as Endpoints | undefined;
    if (service === undefined) {
      times.forget(key);
      if (current !== undefined && (removed.has(key) || isLeftOver(current.metadata)))
        await writer.remove(current);
    }
    removed.delete(key);
    if (service === undefined || !isManaged(service.metadata ?? {}) || !selectsPods(service)) return 'done';
    const selected = podsOf(pods, service);
    const changed = changedEndpoints(service, selected, current, times.observe(key, service, selected));
    if (changed === undefined) return 'done';
    queue.charge(key, selected.length);
    return writer.write(service, changed, current === undefined);
  };
  const queue: WorkQueue = workloadQueue(parts, (key) => writes.follow(key, () => reconcile(key)), workers);

  const isLeftOver = (metadata: ObjectMeta = {}): boolean =>
    typeof metadata.creationTimestamp === 'string' &&
    timeToMilliseconds(metadata.creationTimestamp) + 1000 <= parts.started &&
    !electsLeader(metadata);
  services.onChange((key, service, previous) => {
    if (service === undefined && isManaged(previous!.metadata())) removed.add(key);
    queue.add(key);
  });
  followPods(pods, services, (key) => queue.addAfter(key, batchPeriod));
  endpoints.onChange((key, current, previous) => {
    if (current === undefined || (previous === undefined && isLeftOver(current.metadata()))) queue.add(key);
  });
  return { name: parts.name, sources: [services, pods, endpoints], queue };
}

class EndpointsWriter {
  constructor(
    private readonly client: Pick<Writer, 'create' | 'update' | 'delete'>,
    private readonly events: EventRecorder,
  ) {}

  /** @throws ApiError, once it is reported */
  async write({ metadata }: Service, endpoints: Endpoints, isNew: boolean): Promise<WorkResult> {
    try {
      await (isNew ? this.client.create(ENDPOINTS, endpoints) : this.client.update(ENDPOINTS, endpoints));
      return 'done';
    } catch (error) {
      if (isNamespaceTerminating(error)) return 'done';
      // What was read has changed meanwhile.
      if (error instanceof ApiError && (error.code === 409 || error.code === 404)) return 'requeue';
      const name = `${metadata?.namespace}/${metadata?.name}`;
      const { message } = error as Error;
      if (isNew)
        this.#report(endpoints, 'FailedToCreateEndpoint', `create endpoint for service ${name}: ${message}`);
      else this.#report(endpoints, 'FailedToUpdateEndpoint', `update endpoint ${name}: ${message}`);
      throw error;
    }
  }

  /** @throws ApiError */
  remove({ metadata = {} }: Endpoints): Promise<void> {
    const { namespace = '', name = '', uid } = metadata;
    return ignoreSettledErrors(this.client.delete(ENDPOINTS, namespace, name, { preconditions: { uid } }));
  }

  #report(endpoints: Endpoints, reason: string, text: string): void {
    this.events.record(ENDPOINTS, endpoints, 'Warning', reason, `Failed to ${text}`);
  }
}
