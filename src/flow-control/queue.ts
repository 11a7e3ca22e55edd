import { type Ticket, TicketList } from './ticket.ts';

/** One queue of a priority level. */
export class Queue {
  readonly waiting = new TicketList();
  executing = 0;
  /** Seats of the requests of this queue that execute or occupy final seats. */
  seatsInUse = 0;
  /** The progress of the level at which the next request would start in the fair world, in seat-seconds. */
  nextDispatch = 0;
  /** Expected seat-seconds of the waiting requests. */
  waitingWork = 0;

  constructor(readonly index: number) {}

  get isActive(): boolean {
    return this.waiting.size > 0 || this.executing > 0;
  }

  add(ticket: Ticket): void {
    this.waiting.add(ticket);
    this.waitingWork += ticket.totalWork;
  }

  remove(ticket: Ticket): void {
    this.waiting.remove(ticket);
    // Sums of fractions drift.
    this.waitingWork = this.waiting.size === 0 ? 0 : this.waitingWork - ticket.totalWork;
  }

  /**
   * A request does not start in the fair world before it arrived: otherwise a queue that uses less than its
   * share would collect credit without bound.
   */
  bound(): void {
    const oldest = this.waiting.first;
    if (oldest !== undefined && this.nextDispatch < oldest.arrivalProgress)
      this.nextDispatch = oldest.arrivalProgress;
  }

  /** Winds the virtual time back, with that of the level. */
  windBack(by: number): void {
    this.nextDispatch = this.isActive ? this.nextDispatch - by : 0;
    for (const ticket of this.waiting) ticket.arrivalProgress -= by;
  }
}
