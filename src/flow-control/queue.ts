import { EXPECTED_SECONDS, type Ticket, TicketList } from './ticket.ts';

/** One queue of a priority level. */
export class Queue {
  readonly waiting = new TicketList();
  executing = 0;
  /** Initial seats of the executing requests. */
  #executingSeats = 0;
  /** Initial seats of the executing requests, each times its start in monotonic milliseconds. */
  #starts = 0;
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

  /** Notes that a request of this queue begins to execute. */
  began(ticket: Ticket, now: number): void {
    this.executing += 1;
    this.#executingSeats += ticket.work.initialSeats;
    this.#starts += ticket.work.initialSeats * now;
    this.nextDispatch += ticket.totalWork;
  }

  /** Notes that a request has ended: its expected duration is corrected by the actual one. */
  ended({ work: { initialSeats }, startedAt }: Ticket, now: number): void {
    this.executing -= 1;
    this.#executingSeats -= initialSeats;
    this.#starts = this.executing === 0 ? 0 : this.#starts - initialSeats * startedAt;
    this.nextDispatch -= initialSeats * (EXPECTED_SECONDS - (now - startedAt) / 1000);
  }

  /**
   * {@link nextDispatch} with what the executing requests have taken beyond their expected duration. A queue
   * with long requests would otherwise seem to have got nothing until they end.
   */
  start(now: number): number {
    const taken = (this.#executingSeats * now - this.#starts) / 1000;
    return this.nextDispatch + Math.max(0, taken - this.#executingSeats * EXPECTED_SECONDS);
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
