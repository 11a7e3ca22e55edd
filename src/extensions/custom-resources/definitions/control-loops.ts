import { WorkQueue, type WorkQueueObserver, type WorkResult } from '../../../controllers/work-queue.ts';
import type { Logger } from '../../../observability/log.ts';
import type { OperationContext } from '../../../operations/environment.ts';
import type { ServedResource } from '../../../registry/served-resource.ts';
import type { Clock } from '../../../time/clock.ts';

/** Starts an operation of the server itself: built-in admission applies, webhooks and authorization don't. */
export type OwnOperation = (resource: ServedResource, subresource: string) => OperationContext;

/** Dependencies of the control loops. */
export interface LoopContext {
  readonly operation: OwnOperation;
  readonly clock: Pick<Clock, 'now' | 'after'>;
  readonly logger: Logger;
  /** Observes the queue of a loop, for metrics. */
  observeQueue?(loop: string): WorkQueueObserver;
}

/** Creates the work queue of a control loop; it logs failures. @param workers maximum concurrent keys */
export function loopQueue(
  { clock, logger, observeQueue }: LoopContext,
  loop: string,
  workers: number,
  work: (key: string) => Promise<WorkResult>,
): WorkQueue {
  return new WorkQueue({
    work,
    clock,
    workers,
    observer: observeQueue?.(loop),
    onError: (key, error) =>
      logger.detail(2, 'reconcile failed; retrying', {
        controller: loop,
        key,
        err: (error as Error).message,
      }),
  });
}
