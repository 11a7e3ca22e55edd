import type { KubernetesObject } from '../model/object.ts';
import type { Logger } from '../observability/log.ts';
import type { UserInfo } from '../request/user.ts';
import type { Clock } from '../time/clock.ts';
import type { Client, Resource } from './client.ts';
import type { Informer } from './informer.ts';
import { WorkQueue, type WorkQueueObserver, type WorkResult } from './work-queue.ts';

/** A source of objects, such as an informer. */
export interface Source {
  start(): void;
  /** Resolves after the initial list, or when the source is stopped. */
  readonly synced: Promise<void>;
  stop(): Promise<void>;
}

/**
 * A controller: its sources and its work queue.
 */
export interface Controller {
  readonly name: string;
  readonly sources: readonly Source[];
  readonly queue: WorkQueue;
}

/** Dependencies of controllers. */
export interface ControllerContext {
  /** A client that acts as `user`. */
  client(user: UserInfo): Client;
  /** The shared informer of a resource, or of its objects with one name. */
  informer(resource: Resource, name?: string): Informer;
  /** The shared informer of a resource with a field selector. */
  selectedInformer(resource: Resource, fieldSelector: string): Informer;
  /** An unshared informer that stores only objects for which `keep` returns true. */
  filteredInformer(resource: Resource, keep: (object: KubernetesObject) => boolean): Informer;
  readonly clock: Pick<Clock, 'now' | 'after'>;
  readonly logger: Logger;
  /** Observes the queue of the controller of that name. */
  observeQueue?(controller: string): WorkQueueObserver;
}

const WORKERS = 4;

/**
 * Creates a work queue that logs failures with the controller's name.
 * @param workers maximum concurrent keys
 */
export function controllerQueue(
  { clock, logger, observeQueue }: ControllerContext,
  name: string,
  work: (key: string) => Promise<WorkResult>,
  workers: number = WORKERS,
): WorkQueue {
  return new WorkQueue({
    work,
    clock,
    workers,
    observer: observeQueue?.(name),
    onError: (key, error) =>
      logger.detail(2, 'reconcile failed; retrying', {
        controller: name,
        key,
        err: (error as Error).message,
      }),
  });
}

export const NAMESPACES: Resource = { group: '', version: 'v1', resource: 'namespaces', kind: 'Namespace' };
