import type { RequestContext } from '../request/context.ts';
import type { Flow } from './flow.ts';
import type { Queue } from './queue.ts';
import type { WorkEstimate } from './work-estimate.ts';

/** Seconds that a request is expected to take, until it has ended. */
export const EXPECTED_SECONDS = 0.003;

/** What the debug tables show of a request. */
export type DescribedRequest = Pick<RequestContext, 'info' | 'user' | 'isOwnWrite'>;

/** One request in a priority level, from its arrival until its seats are free again. */
export class Ticket {
  state: 'waiting' | 'executing' | 'finished' | 'refused' = 'waiting';
  /** The queue that chose it; undefined in a level without queues. */
  queue: Queue | undefined;
  /** Seats that it occupies: the larger of the initial and the final ones. */
  seats: number;
  finalSeats: number;
  /** Milliseconds for which the final seats are occupied. */
  finalMilliseconds: number;
  /** Expected seat-seconds. */
  readonly totalWork: number;
  /** Progress of the level at arrival, in seat-seconds. */
  arrivalProgress = 0;
  /** Monotonic milliseconds; 0 while it waits. */
  startedAt = 0;
  /** Called when a waiting request begins to execute. */
  onStart: (() => void) | undefined;
  next: Ticket | undefined;
  previous: Ticket | undefined;

  constructor(
    readonly flow: Flow,
    readonly work: WorkEstimate,
    /** Monotonic milliseconds. */
    readonly arrivedAt: number,
    readonly request: DescribedRequest,
  ) {
    this.seats = Math.max(work.initialSeats, work.finalSeats);
    this.finalSeats = work.finalSeats;
    this.finalMilliseconds = work.finalMilliseconds;
    this.totalWork = work.initialSeats * EXPECTED_SECONDS + (work.finalSeats * work.finalMilliseconds) / 1000;
  }

  /** Gives final work that is wider than the level a narrower and longer form. @param limit seats of the level */
  fit(limit: number): void {
    if (this.finalSeats <= limit) return;
    this.finalMilliseconds = (this.finalSeats * this.finalMilliseconds) / limit;
    this.finalSeats = limit;
    this.seats = Math.max(this.work.initialSeats, limit);
  }
}

/** Tickets in order of their addition; a ticket is in one list at most. */
export class TicketList {
  first: Ticket | undefined;
  #last: Ticket | undefined;
  size = 0;

  add(ticket: Ticket): void {
    ticket.previous = this.#last;
    ticket.next = undefined;
    if (this.#last === undefined) this.first = ticket;
    else this.#last.next = ticket;
    this.#last = ticket;
    this.size += 1;
  }

  /** Removes a ticket of this list. */
  remove(ticket: Ticket): void {
    const { next, previous } = ticket;
    if (previous === undefined) this.first = next;
    else previous.next = next;
    if (next === undefined) this.#last = previous;
    else next.previous = previous;
    ticket.next = undefined;
    ticket.previous = undefined;
    this.size -= 1;
  }

  *[Symbol.iterator](): Generator<Ticket> {
    for (let ticket = this.first; ticket !== undefined; ticket = ticket.next) yield ticket;
  }
}
