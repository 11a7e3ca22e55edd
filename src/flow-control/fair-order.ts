import type { Queue } from './queue.ts';

/** Above every index of a queue. */
const BEYOND = 2 ** 32;

/** The queue that is served next, and the first and the last one in virtual time. */
export interface NextQueue {
  readonly queue: Queue;
  readonly earliest: Queue;
  readonly latest: Queue;
}

/**
 * Chooses the queue whose oldest request would finish first in a fair world; among equals, the first one after
 * the queue that was served last.
 * @param backlog queues with waiting requests, at least one @param served index of the queue served last
 */
export function nextQueue(backlog: Iterable<Queue>, served: number): NextQueue {
  let chosen: Queue | undefined;
  let first = Number.POSITIVE_INFINITY;
  let distance = 0;
  let earliest: Queue | undefined;
  let latest: Queue | undefined;
  for (const queue of backlog) {
    if (earliest === undefined || queue.nextDispatch < earliest.nextDispatch) earliest = queue;
    if (latest === undefined || queue.nextDispatch > latest.nextDispatch) latest = queue;
    const finish = queue.nextDispatch + queue.waiting.first!.totalWork;
    if (finish > first) continue;
    const away = queue.index > served ? queue.index : queue.index + BEYOND;
    if (finish === first && away > distance) continue;
    first = finish;
    chosen = queue;
    distance = away;
  }
  return { queue: chosen!, earliest: earliest!, latest: latest! };
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
