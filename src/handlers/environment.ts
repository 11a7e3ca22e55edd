import type { OperationEnvironment } from '../operations/environment.ts';
import type { Attributes, AuthorizerResult } from '../request/attributes.ts';
import type { ResourceRow } from '../resources/resource-set.ts';
import type { Resources } from '../resources/resources.ts';
import type { MaybePromise } from '../steps/steps.ts';
import type { ClusterClock } from '../time/clock.ts';

/** Dependencies of the handlers. */
export interface HandlerEnvironment {
  readonly resources: Resources;
  readonly operations: OperationEnvironment;
  authorize(attributes: Attributes): MaybePromise<AuthorizerResult>;
  /** The cluster's time in milliseconds. */
  readonly now: ClusterClock['now'];
  /** Feature gates and flags that change the handlers. */
  readonly features: {
    readonly watchList: boolean;
    readonly unsafeDeletion: boolean;
    readonly watchCache: boolean;
  };
  /** Largest request body in bytes. */
  readonly maximumBodyBytes: number;
  /** Minimum duration of a watch without timeoutSeconds, in seconds; the maximum is twice as long. */
  readonly minimumWatchSeconds: number;
  /** Called once per watch; the returned function gets the bytes of each event sent. */
  countWatchEvents(row: ResourceRow): (bytes: number) => void;
  /** A list or watch waited some seconds, or not at all, for a version in the cache of a resource. */
  waitedForCache(row: ResourceRow, seconds: number): void;
  /** The initial events of a watch that asked for them took some seconds. */
  watchListed(row: ResourceRow, scope: 'cluster' | 'namespace' | 'resource', seconds: number): void;
  /** Milliseconds between the bookmarks of an idle watch. */
  readonly bookmarkInterval: number;
}
