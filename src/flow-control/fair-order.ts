import type { Queue } from './queue.ts';
import type { Ticket } from './ticket.ts';

/** Above every index of a queue. */
const BEYOND = 2 ** 32;

/** The queue that is served next, if any, and the first and the last one in virtual time. */
export interface NextQueue {
  readonly queue: Queue | undefined;
  readonly earliest: Queue;
  readonly latest: Queue;
}

/**
 * Chooses the queue whose oldest request would finish first in a fair world; among equals, the first one after
 * the queue that was served last.
 * @param backlog queues with waiting requests, at least one @param served index of the queue served last
 * @param now monotonic milliseconds @param waits whether a request has to let others go first
 */
export function nextQueue(
  backlog: Iterable<Queue>,
  served: number,
  now: number,
  waits: (ticket: Ticket) => boolean,
): NextQueue {
  let chosen: Queue | undefined;
  let first = Number.POSITIVE_INFINITY;
  let distance = 0;
  let earliest: Queue | undefined;
  let latest: Queue | undefined;
  for (const queue of backlog) {
    if (earliest === undefined || queue.nextDispatch < earliest.nextDispatch) earliest = queue;
    if (latest === undefined || queue.nextDispatch > latest.nextDispatch) latest = queue;
    const oldest = queue.waiting.first!;
    const finish = queue.start(now) + oldest.totalWork;
    if (finish > first || waits(oldest)) continue;
    const away = queue.index > served ? queue.index : queue.index + BEYOND;
    if (finish === first && away > distance) continue;
    first = finish;
    chosen = queue;
    distance = away;
  }
  return { queue: chosen, earliest: earliest!, latest: latest! };
}

/**
 * Where a request that arrives now begins in virtual time: with the first of those that wait, so that nobody
 * waits for what others have not got in time. Without waiting requests, at the progress of the level.
 */
export function virtualNow(progress: number, backlog: Iterable<Queue>, now: number): number {
  let least = progress;
  for (const queue of backlog) least = Math.min(least, queue.start(now));
  return least;
}

/**
 * Chooses a queue of a hand: the one with the least expected work.
 * @param start position in the hand from which equals are preferred
 */
export function leastBusy(
  hand: Uint32Array,
  start: number,
  queues: { get(index: number): Queue | undefined },
): number {
  let best = hand[start]!;
  let least = Number.POSITIVE_INFINITY;
  for (let step = 0; step < hand.length && least > 0; step += 1) {
    const index = hand[(start + step) % hand.length]!;
    const work = queues.get(index)?.waitingWork ?? 0;
    if (work >= least) continue;
    least = work;
    best = index;
  }
  return best;
}

/** Part of the seats that one flow does not take if it has most of the others. */
const SEATS_FOR_OTHERS = 0.1;

/**
 * Whether a request has to leave the last seats of its level to other flows: its own flow has most of the
 * seats. Long requests of one flow would otherwise keep all others waiting until one of them ends.
 */
export function leavesSeats({ flow, seats }: Ticket, inUse: number, limit: number): boolean {
  const forOthers = Math.floor(limit * SEATS_FOR_OTHERS);
  return forOthers > 0 && 2 * flow.seatsInUse >= limit && inUse + seats > limit - forOthers;
}
