import type { ConnectionLimits } from './limits.ts';

/** Queued bytes of a stream at which producers must wait. */
const HIGH_WATER = 256 * 1024;
/**
 * The same on a connection with a long queue: many watches of a client that does not read must not use the
 * full limit each. It is above the high-water mark of a Node stream, so that a waiting producer is always
 * woken by 'drain'.
 */
const CROWDED_HIGH_WATER = 64 * 1024;
/** Queued bytes of a connection that make its queue long. */
const CROWDED = 8 * 1024 * 1024;

/** The queued bytes of all streams of a connection. */
export interface QueueAccount {
  readonly queuedBytes: number;
  readonly limits: ConnectionLimits;
  /** Called when a stream is aborted because it exceeds the bounds. */
  onOverflow(): void;
}

/** An account into which writers add what they queue. */
export interface MutableQueueAccount extends QueueAccount {
  queuedBytes: number;
}

/** Queued bytes of a stream from which its producers must wait. */
export const highWaterOf = ({ queuedBytes }: QueueAccount): number =>
  queuedBytes > CROWDED ? CROWDED_HIGH_WATER : HIGH_WATER;

/** Whether a chunk of `bytes` exceeds the bounds. @param queued bytes of its stream that are not sent */
export const exceedsBounds = (account: QueueAccount, queued: number, bytes: number): boolean =>
  queued > account.limits.queuedBytesPerStream ||
  (queued > 0 && account.queuedBytes + bytes > account.limits.queuedBytesPerConnection);

/** The same for a complete response: only the connection's bound applies, unless its queue is empty. */
export const answerExceedsBounds = ({ queuedBytes, limits }: QueueAccount, bytes: number): boolean =>
  queuedBytes > 0 && queuedBytes + bytes > limits.queuedBytesPerConnection;
