import type { OperationContext } from '../../../operations/environment.ts';
import type { QueueContext } from '../../../reconcile/work-queue.ts';
import type { ServedResource } from '../../../resources/served-resource.ts';

/** Starts an operation of the server itself: built-in admission applies, webhooks and authorization don't. */
export type OwnOperation = (resource: ServedResource, subresource: string) => OperationContext;

/** Dependencies of the control loops. */
export interface LoopContext extends QueueContext {
  readonly operation: OwnOperation;
}
