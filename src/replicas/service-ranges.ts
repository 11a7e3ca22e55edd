import { PoolChangedError } from '../allocation/number-pool.ts';
import type { AllocationFault, ServiceAllocator } from '../allocation/service-allocator.ts';
import type { Service } from '../model/generated/core-v1.ts';
import type { KubernetesObject } from '../model/object.ts';
import type { Logger } from '../observability/log.ts';
import type { Client } from '../reconcile/client.ts';
import { EVENTS } from '../reconcile/resources.ts';
import { warningEvent } from '../reconcile/warning-event.ts';
import type { Resources } from '../resources/resources.ts';
import { OutcomeUnknownError } from '../storage/storage.ts';
import type { ClusterClock, ProcessClock } from '../time/clock.ts';
import { type Periodic, runPeriodically } from './periodic.ts';
import { storedServices } from './stored-services.ts';

/** Milliseconds between two repairs, and attempts of one repair; kube-apiserver's values. */
const REPAIR_INTERVAL = 3 * 60_000;
const ATTEMPTS = 5;

export interface ServiceRangesOptions {
  readonly resources: Resources;
  readonly allocator: ServiceAllocator;
  readonly clock: Pick<ProcessClock, 'after'>;
  /** The times of Events. */
  readonly clusterClock: Pick<ClusterClock, 'now'>;
  readonly logger: Logger;
  /** Called when a repair has failed; it repairs all ranges. */
  readonly onFailure?: () => void;
}

/**
 * Keeps the allocated addresses and ports in step with the stored Services: before the server is ready, and
 * later every three minutes where several servers share the store. Faults are logged and published as Events
 * of their Service, once while they last.
 */
export class ServiceRanges {
  readonly #options: ServiceRangesOptions;
  #reported = new Set<string>();
  #unpublished: AllocationFault[] = [];

  constructor(options: ServiceRangesOptions) {
    this.#options = options;
  }

  /**
   * Repairs the ranges. An attempt reads them first, so it may follow one whose outcome is unknown.
   * @throws StorageUnavailableError, and after too many attempts PoolChangedError, OutcomeUnknownError
   */
  async repair(): Promise<void> {
    const { resources, allocator, logger } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      try {
        this.#report(await allocator.repair(() => storedServices(resources, logger)));
        return;
      } catch (error) {
        const mayFollow = error instanceof PoolChangedError || error instanceof OutcomeUnknownError;
        if (mayFollow && attempt < ATTEMPTS) continue;
        this.#options.onFailure?.();
        throw error;
      }
    }
  }

  /** Publishes the Events of the first repair, and repairs again periodically if `shared`. */
  start(client: Client, shared: boolean): Periodic {
    return runPeriodically({
      clock: this.#options.clock,
      delay: 0,
      interval: REPAIR_INTERVAL,
      run: async () => {
        if (shared) await this.repair();
        await this.#publish(client);
      },
      onError: (error) =>
        this.#options.logger.warn('failed to repair the ranges of Services', { err: error.message }),
    });
  }

  #report(faults: readonly AllocationFault[]): void {
    const reported = new Set<string>();
    for (const fault of faults) {
      // The addresses of a corrupt Service are guesses.
      if (fault.service.metadata?.uid === undefined && fault.type !== 'already allocated') continue;
      const key = `${fault.service.metadata?.uid ?? nameOf(fault.service)} ${fault.type} ${fault.value}`;
      reported.add(key);
      if (this.#reported.has(key)) continue;
      this.#unpublished.push(fault);
      this.#options.logger.warn(`${fault.resource} of a Service is ${fault.type}`, {
        service: nameOf(fault.service),
        value: fault.value,
        ...(fault.holder === undefined ? {} : { holder: nameOf(fault.holder) }),
      });
    }
    this.#reported = reported;
  }

  async #publish(client: Client): Promise<void> {
    const faults = this.#unpublished;
    this.#unpublished = [];
    for (const fault of faults) {
      if (fault.service.metadata?.uid === undefined) continue;
      try {
        await client.create(EVENTS, eventOf(fault, this.#options.clusterClock.now()));
      } catch (error) {
        this.#options.logger.warn('failed to publish an Event', {
          service: nameOf(fault.service),
          err: (error as Error).message,
        });
      }
    }
  }
}

const nameOf = ({ metadata }: Service): string => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;

/** Reason and message of kube-apiserver's Event for a fault. */
function describe({ type, service, resource, value }: AllocationFault): [reason: string, message: string] {
  if (resource === 'port')
    switch (type) {
      case 'not allocated':
        return ['PortNotAllocated', `Port ${value} is not allocated; repairing now`];
      case 'already allocated':
        return [
          'PortAlreadyAllocated',
          `Port ${value} was assigned to multiple services; please recreate service`,
        ];
      default:
        return [
          'PortOutOfRange',
          `Port ${value} is not within the configured port range; please recreate service`,
        ];
    }
  const family = value.includes(':') ? 'IPv6' : 'IPv4';
  switch (type) {
    case 'not allocated':
      return ['ClusterIPNotAllocated', `Cluster IP [${family}]:${value} is not allocated; repairing now`];
    case 'already allocated':
      return [
        'ClusterIPAlreadyAllocated',
        `Cluster IP [${family}]:${value} was assigned to multiple services; please recreate service`,
      ];
    case 'out of range':
      return [
        'ClusterIPOutOfRange',
        `Cluster IP [${family}]:${value} is not within the configured service CIDR; please recreate service`,
      ];
    default:
      return [
        'ClusterIPNotValid',
        `Cluster IP ${value} is not a valid IP; please recreate service ${nameOf(service)}`,
      ];
  }
}

function eventOf(fault: AllocationFault, now: number): KubernetesObject {
  const { metadata = {} } = fault.service;
  const [reason, message] = describe(fault);
  const component =
    fault.resource === 'port' ? 'portallocator-repair-controller' : 'ipallocator-repair-controller';
  return warningEvent({
    metadata: { generateName: `${metadata.name}.`, namespace: metadata.namespace },
    involvedObject: {
      kind: 'Service',
      apiVersion: 'v1',
      namespace: metadata.namespace,
      name: metadata.name,
      uid: metadata.uid,
      resourceVersion: metadata.resourceVersion,
    },
    reason,
    message,
    component,
    now,
  });
}
