import type { IndexedSource, Selection } from '../reader/object-source.ts';
import type { UserInfo } from '../request/user.ts';
import type { Client, Resource } from './client.ts';
import type { EventRecorder } from './events/recorder.ts';
import type { SeriesRecorder } from './events/series-recorder.ts';
import type { QueueContext, WorkQueue } from './work-queue.ts';

/** A source of objects or keys. */
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
export interface ControllerContext extends QueueContext {
  /** A client that acts as `user`. */
  client(user: UserInfo): Client;
  /** Objects of a resource of this server; all sources of the resource share what is decoded. */
  objects(resource: Resource, selection?: Selection): IndexedSource;
}

/** Dependencies of a controller of the table. */
export interface NamedContext extends ControllerContext {
  /** Reports events as `user`. @param component who reports, such as `deployment-controller` */
  events(component: string): EventRecorder;
  /** The same, of `events.k8s.io`. */
  seriesEvents(controller: string, instance: string): SeriesRecorder;
  /** Its name in `--controllers`, logs and metrics. */
  readonly name: string;
  /** The user that it acts as. */
  readonly user: UserInfo;
  /** When this server began to run controllers, in milliseconds of the cluster: older objects are of an earlier run. */
  readonly started: number;
}
