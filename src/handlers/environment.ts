import type { OperationEnvironment } from '../operations/environment.ts';
import type { Registry } from '../registry/registry.ts';
import type { ResourceRow } from '../registry/resource-set.ts';
import type { Attributes, AuthorizerResult } from '../request/attributes.ts';
import type { MaybePromise } from '../request/context.ts';

/** What the handlers need from outside. */
export interface HandlerEnvironment {
  readonly registry: Registry;
  readonly operations: OperationEnvironment;
  authorize(attributes: Attributes): MaybePromise<AuthorizerResult>;
  /** Wall clock in milliseconds. */
  now(): number;
  /** Gates and flags that change what handlers do. */
  readonly features: {
    readonly watchList: boolean;
    readonly unsafeDeletion: boolean;
    readonly watchCache: boolean;
  };
  /** Largest request body in bytes. */
  readonly maximumBodyBytes: number;
  /** Least seconds a watch lasts when the client names no time-out; it lasts up to twice as long. */
  readonly minimumWatchSeconds: number;
  /** Asked once a watch; what it answers is told the bytes of each event sent. */
  countWatchEvents(row: ResourceRow): (bytes: number) => void;
  /** Milliseconds between bookmarks of a quiet watch. */
  readonly bookmarkInterval: number;
}
