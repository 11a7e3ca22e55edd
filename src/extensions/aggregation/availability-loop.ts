import { hasCondition, setCondition } from '../../model/conditions.ts';
import type { APIService } from '../../model/generated/apiregistration-v1.ts';
import type { KubernetesObject } from '../../model/object.ts';
import { formatTime } from '../../model/time.ts';
import { update } from '../../operations/update.ts';
import type { RecordView } from '../../reader/record-view.ts';
import { controllerQueue, type WorkQueue, type WorkResult } from '../../reconcile/work-queue.ts';
import type { ServedResource } from '../../resources/served-resource.ts';
import { ApiError } from '../../status/index.ts';
import type { LoopContext } from '../custom-resources/definitions/control-loops.ts';
import type { BackendService, RegisteredVersion } from './api-service.ts';
import {
  type Availability,
  type AvailabilityChecks,
  checkAvailability,
  DISCOVERY_FAILED,
} from './availability.ts';

const WORKERS = 5;
const RECHECK_MILLISECONDS = 30_000;

export interface AvailabilityLoopOptions {
  readonly context: LoopContext;
  /** The resource of APIServices. */
  readonly resource: ServedResource;
  readonly registrations: RecordView<RegisteredVersion>;
  readonly checks: AvailabilityChecks;
  /** Called after each check of a version with a Service, and with undefined when it is removed. */
  onChecked?(name: string, availability: Availability | undefined): void;
}

/**
 * Maintains the condition Available of APIServices: checks on changes of the APIService, its Service and its
 * Endpoints, again every 30 seconds, and after a failed discovery request with a back-off.
 */
export class AvailabilityLoop {
  readonly #options: AvailabilityLoopOptions;
  readonly #queue: WorkQueue;
  /** Names of APIServices by `namespace/name` of their Service. */
  readonly #byService = new Map<string, Set<string>>();
  #cancelRecheck: (() => void) | undefined;

  constructor(options: AvailabilityLoopOptions) {
    this.#options = options;
    this.#queue = controllerQueue(
      options.context,
      'RemoteAvailabilityController',
      (name) => this.#check(name),
      WORKERS,
    );
    options.registrations.onChange((name, current, previous) => {
      this.#reference(name, previous?.service, current?.service);
      if (current !== undefined) this.#queue.add(name);
      else options.onChecked?.(name, undefined);
    });
    for (const [name, { service }] of options.registrations.entries()) {
      this.#reference(name, undefined, service);
      this.#queue.add(name);
    }
  }

  start(): void {
    this.#queue.start();
    this.#scheduleRecheck();
  }

  stop(): Promise<void> {
    this.#cancelRecheck?.();
    return this.#queue.stop();
  }

  /** A Service or its Endpoints have changed. @param key `namespace/name` */
  serviceChanged(key: string): void {
    for (const name of this.#byService.get(key) ?? []) this.#queue.add(name);
  }

  #scheduleRecheck(): void {
    this.#cancelRecheck = this.#options.context.clock.after(RECHECK_MILLISECONDS, () => {
      for (const names of this.#byService.values()) for (const name of names) this.#queue.add(name);
      this.#scheduleRecheck();
    });
  }

  #reference(name: string, before: BackendService | undefined, after: BackendService | undefined): void {
    if (before !== undefined) {
      const known = this.#byService.get(keyOf(before));
      known?.delete(name);
      if (known?.size === 0) this.#byService.delete(keyOf(before));
    }
    if (after === undefined) return;
    const known = this.#byService.get(keyOf(after));
    if (known === undefined) this.#byService.set(keyOf(after), new Set([name]));
    else known.add(name);
  }

  async #check(name: string): Promise<WorkResult> {
    const { registrations, checks, onChecked } = this.#options;
    const registered = registrations.get(name);
    if (registered === undefined) return 'done';
    const availability = await checkAvailability(registered, checks);
    if (registered.service !== undefined) onChecked?.(name, availability);
    // The result is of a Service that is no longer configured; the change has queued the name again.
    if (!sameService(registrations.get(name)?.service, registered.service)) return 'done';
    if (!hasCondition(registered.conditions, availability)) await this.#write(name, registered, availability);
    return availability.reason === DISCOVERY_FAILED ? 'requeue' : 'done';
  }

  async #write(name: string, checked: RegisteredVersion, availability: Availability): Promise<void> {
    const { context, resource, registrations } = this.#options;
    try {
      const { record } = await update(context.operation(resource, 'status'), {
        name,
        createsWhenMissing: false,
        unconditional: true,
        leavesCurrent: true,
        transform: (current) =>
          withCondition(current as APIService, checked, availability, formatTime(context.clusterClock.now())),
      });
      registrations.observe(record);
    } catch (error) {
      if (!(error instanceof ApiError && (error.code === 404 || error.code === 409))) throw error;
    }
  }
}

const keyOf = ({ namespace, name }: BackendService): string => `${namespace}/${name}`;

const sameService = (left: BackendService | undefined, right: BackendService | undefined): boolean =>
  left?.namespace === right?.namespace && left?.name === right?.name && left?.port === right?.port;

function withCondition(
  apiService: APIService,
  { service: checked }: RegisteredVersion,
  availability: Availability,
  now: string,
): KubernetesObject {
  const { namespace, name, port } = apiService.spec?.service ?? {};
  const stored = apiService.spec?.service === undefined ? undefined : { namespace, name, port };
  if (!sameService(stored as BackendService | undefined, checked)) return apiService;
  const conditions = setCondition(apiService.status?.conditions, availability, now);
  return { ...apiService, status: { ...apiService.status, conditions } };
}
