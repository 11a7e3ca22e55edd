import type { KubernetesObject } from '../model/object.ts';
import type { Logger } from '../observability/log.ts';
import type { UserInfo } from '../request/user.ts';
import type { Client, Resource } from './client.ts';
import type { Clock } from './clock.ts';
import type { Informer } from './informer.ts';
import { WorkQueue, type WorkQueueObserver, type WorkResult } from './work-queue.ts';

/** Something that knows objects as they are now. */
export interface Source {
  start(): void;
  /** Resolves once every object is known, or the source has been stopped. */
  readonly synced: Promise<void>;
  stop(): Promise<void>;
}

/**
 * What brings one kind of thing to its desired state: the objects it looks at, and the keys it has to work
 * on.
 */
export interface Controller {
  readonly name: string;
  readonly sources: readonly Source[];
  readonly queue: WorkQueue;
}

/** What controllers are built from. */
export interface ControllerContext {
  /** A client that acts as `user`. */
  client(user: UserInfo): Client;
  /** The one informer of a resource, or of its objects of one name. */
  informer(resource: Resource, name?: string): Informer;
  /** The one informer of the objects of a resource that a field selector selects. */
  selectedInformer(resource: Resource, fieldSelector: string): Informer;
  /** An informer of its own, of the objects of a resource that `keep` keeps. */
  filteredInformer(resource: Resource, keep: (object: KubernetesObject) => boolean): Informer;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Observes the queue of the controller of that name. */
  observeQueue?(controller: string): WorkQueueObserver;
}

const WORKERS = 4;

/** A queue whose failures are logged under the controller's name. @param workers keys worked on at once */
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
      logger.detail(2, 'controller will try again', { controller: name, key, err: (error as Error).message }),
  });
}

export const NAMESPACES: Resource = { group: '', version: 'v1', resource: 'namespaces', kind: 'Namespace' };
