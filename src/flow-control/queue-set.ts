import type { ProcessClock } from '../time/clock.ts';
import { leastBusy, leavesSeats, nextQueue, virtualNow } from './fair-order.ts';
import type { RefusalReason } from './flow.ts';
import type { LevelUse } from './level-use.ts';
import { Queue } from './queue.ts';
import type { QueueSettings } from './settings.ts';
import { EXPECTED_SECONDS, type Ticket, TicketList } from './ticket.ts';

/** Idle queues are forgotten above this number: a level may have millions. */
const KEPT_QUEUES = 1024;
/** Progress above this many seat-seconds is wound back, to keep the precision of small differences. */
const EPOCH = 2 ** 32;

/**
 * The requests of one priority level: fair queuing for server requests, as in kube-apiserver. Each active queue
 * gets the same share of the seats. Virtual time ("progress") is what a queue would have got by then, in
 * seat-seconds; the request that would finish first in a perfectly fair world is dispatched next.
 */
export class QueueSet {
  readonly #clock: Pick<ProcessClock, 'monotonic' | 'after'>;
  readonly #use: LevelUse;
  #settings: QueueSettings | 'exempt' = 'exempt';
  #limit = 0;
  readonly #queues = new Map<number, Queue>();
  /** The queues with waiting requests. */
  readonly #backlog = new Set<Queue>();
  readonly #executing = new TicketList();
  #activeQueues = 0;
  #progress = 0;
  #progressAt: number;
  /** Index of the queue that was dispatched last. */
  #served = 0;
  #enqueued = 0;
  #waiting = 0;
  #seatsInUse = 0;
  #seatsWaiting = 0;

  constructor(clock: Pick<ProcessClock, 'monotonic' | 'after'>, use: LevelUse) {
    this.#clock = clock;
    this.#use = use;
    this.#progressAt = clock.monotonic();
  }

  get waiting(): number {
    return this.#waiting;
  }

  get executing(): number {
    return this.#executing.size;
  }

  get isIdle(): boolean {
    return this.#waiting === 0 && this.#executing.size === 0;
  }

  get executingTickets(): Iterable<Ticket> {
    return this.#executing;
  }

  /** Number of queues, with those that are only being emptied. */
  get size(): number {
    let size = this.#settings === 'exempt' ? 0 : this.#settings.queues;
    for (const index of this.#queues.keys()) size = Math.max(size, index + 1);
    return size;
  }

  /** A queue by its index; undefined if it has not been used. */
  queueAt(index: number): Queue | undefined {
    return this.#queues.get(index);
  }

  get usedQueues(): Iterable<Queue> {
    return this.#queues.values();
  }

  /** Changes the settings and the seats. Requests that no longer have a queue of their own keep waiting. */
  configure(settings: QueueSettings | 'exempt', limit: number): void {
    const now = this.#clock.monotonic();
    this.#advance(now);
    this.#settings = settings;
    this.#limit = limit;
    for (const queue of this.#queues.values()) this.#forgetIfUnused(queue);
    this.#dispatch(now);
  }

  /**
   * Takes a request: its state is `executing` or `waiting` afterwards, or `refused`.
   * @param now monotonic milliseconds, here and in the other methods
   */
  start(ticket: Ticket, now: number): void {
    const settings = this.#settings;
    if (settings !== 'exempt' && settings.queues > 0) this.#startQueued(ticket, settings, now);
    else if (settings === 'exempt' || this.#fits(ticket)) {
      ticket.arrivalProgress = this.#progress;
      this.#execute(ticket, now);
    } else this.#refuse(ticket, 'concurrency-limit');
  }

  #startQueued(ticket: Ticket, { queueLength }: QueueSettings, now: number): void {
    this.#advance(now);
    const queue = this.#chooseQueue(ticket.flow.hand);
    if (queue.waiting.size >= queueLength) {
      this.#refuse(ticket, 'queue-full');
      return;
    }
    ticket.queue = queue;
    ticket.arrivalProgress = virtualNow(this.#progress, this.#backlog, now);
    if (!queue.isActive) {
      this.#activeQueues += 1;
      queue.nextDispatch = Math.min(Math.max(queue.nextDispatch, ticket.arrivalProgress), this.#progress);
    }
    if (this.#waiting > 0 || this.#seatsInUse >= this.#limit || !this.#fits(ticket)) {
      this.#enqueue(queue, ticket, now);
      this.#dispatch(now);
      return;
    }
    // The same as to enqueue and dispatch it, since no other request waits.
    const { metrics } = ticket.flow.schema;
    metrics.queueLength.observe(1);
    metrics.waiting.add(0);
    metrics.waitingSeats.add(0);
    this.#use.dispatched(this.#progress, queue.nextDispatch, queue, queue, EXPECTED_SECONDS);
    this.#served = queue.index;
    this.#dispatchFrom(queue, ticket, now);
  }

  /** Ends a request that executed. */
  finish(ticket: Ticket, now: number): void {
    const { queue } = ticket;
    const { metrics } = ticket.flow.schema;
    this.#advance(now);
    ticket.state = 'finished';
    this.#executing.remove(ticket);
    metrics.executing.add(-1);
    if (queue !== undefined) {
      queue.ended(ticket, now);
      if (!queue.isActive) this.#activeQueues -= 1;
      queue.bound();
    }
    if (ticket.finalMilliseconds === 0) this.#release(ticket, now);
    else {
      this.#changed(now);
      this.#clock.after(ticket.finalMilliseconds, () => {
        const later = this.#clock.monotonic();
        this.#advance(later);
        this.#release(ticket, later);
        this.#dispatch(later);
      });
    }
    this.#dispatch(now);
  }

  /** Ends the wait of a request, which is refused; false if it does not wait any more. */
  cancel(ticket: Ticket, now: number): boolean {
    const { queue } = ticket;
    if (ticket.state !== 'waiting' || queue === undefined) return false;
    this.#advance(now);
    this.#leaveQueue(queue, ticket);
    if (!queue.isActive) this.#activeQueues -= 1;
    queue.bound();
    this.#use.cancelled += 1;
    this.#refuse(ticket, 'time-out');
    this.#changed(now);
    this.#forgetIfUnused(queue);
    this.#dispatch(now);
    return true;
  }

  #refuse(ticket: Ticket, reason: RefusalReason): void {
    ticket.state = 'refused';
    this.#use.rejected += 1;
    ticket.flow.schema.metrics.rejected(reason).add();
  }

  #enqueue(queue: Queue, ticket: Ticket, now: number): void {
    const { metrics } = ticket.flow.schema;
    queue.add(ticket);
    queue.bound();
    this.#backlog.add(queue);
    this.#waiting += 1;
    this.#seatsWaiting += ticket.seats;
    metrics.waiting.add(1);
    metrics.waitingSeats.add(ticket.seats);
    metrics.queueLength.observe(queue.waiting.size);
    this.#changed(now);
  }

  #leaveQueue(queue: Queue, ticket: Ticket): void {
    const { metrics } = ticket.flow.schema;
    queue.remove(ticket);
    if (queue.waiting.size === 0) this.#backlog.delete(queue);
    this.#waiting -= 1;
    this.#seatsWaiting -= ticket.seats;
    metrics.waiting.add(-1);
    metrics.waitingSeats.add(-ticket.seats);
  }

  #chooseQueue(hand: Uint32Array): Queue {
    const start = this.#enqueued % hand.length;
    this.#enqueued = (this.#enqueued + 1) >>> 0;
    const index = this.#waiting === 0 ? hand[start]! : leastBusy(hand, start, this.#queues);
    let queue = this.#queues.get(index);
    if (queue === undefined) {
      queue = new Queue(index);
      this.#queues.set(index, queue);
    }
    return queue;
  }

  /** Dispatches waiting requests while the next one in the fair order fits. */
  #dispatch(now: number): void {
    while (this.#waiting > 0 && this.#seatsInUse < this.#limit) {
      const { queue, earliest, latest } = nextQueue(this.#backlog, this.#served, now, this.#waits);
      if (queue === undefined) return;
      const ticket = queue.waiting.first!;
      if (!this.#fits(ticket)) {
        ticket.flow.schema.metrics.noAccommodation.add();
        return;
      }
      this.#use.dispatched(this.#progress, queue.nextDispatch, earliest, latest, EXPECTED_SECONDS);
      this.#served = queue.index;
      this.#leaveQueue(queue, ticket);
      this.#dispatchFrom(queue, ticket, now);
      queue.bound();
      ticket.onStart?.();
    }
  }

  #dispatchFrom(queue: Queue, ticket: Ticket, now: number): void {
    ticket.fit(this.#limit);
    queue.seatsInUse += ticket.seats;
    queue.began(ticket, now);
    this.#execute(ticket, now);
  }

  #execute(ticket: Ticket, now: number): void {
    const { metrics } = ticket.flow.schema;
    ticket.state = 'executing';
    ticket.startedAt = now;
    this.#executing.add(ticket);
    this.#seatsInUse += ticket.seats;
    ticket.flow.seatsInUse += ticket.seats;
    this.#use.dispatches += 1;
    metrics.dispatched.add();
    metrics.executing.add(1);
    metrics.addSeats(ticket.seats);
    this.#changed(now);
  }

  #release(ticket: Ticket, now: number): void {
    const { queue, seats } = ticket;
    this.#seatsInUse -= seats;
    ticket.flow.seatsInUse -= seats;
    ticket.flow.schema.metrics.addSeats(-seats);
    this.#changed(now);
    if (queue === undefined) return;
    queue.seatsInUse -= seats;
    this.#forgetIfUnused(queue);
  }

  #fits(ticket: Ticket): boolean {
    if (this.#waits(ticket)) return false;
    if (this.#seatsInUse + ticket.seats <= this.#limit) return true;
    // A request that is wider than the level runs alone.
    return ticket.seats > this.#limit && this.#executing.size === 0;
  }

  readonly #waits = (ticket: Ticket): boolean =>
    ticket.queue !== undefined && leavesSeats(ticket, this.#seatsInUse, this.#limit);

  /** Forgets a queue beyond those of the settings, or an idle one if there are many. */
  #forgetIfUnused(queue: Queue): void {
    if (queue.isActive || queue.seatsInUse > 0) return;
    const wanted = this.#settings === 'exempt' ? 0 : this.#settings.queues;
    if (queue.index >= wanted || this.#queues.size > KEPT_QUEUES) this.#queues.delete(queue.index);
  }

  #changed(now: number): void {
    this.#use.update(now, this.#waiting, this.#executing.size, this.#seatsInUse, this.#seatsWaiting);
  }

  /** Advances the progress to a time, at the rate that applied since the last change. */
  #advance(now: number): void {
    const passed = now - this.#progressAt;
    if (passed <= 0) return;
    this.#progressAt = now;
    if (this.#activeQueues === 0) return;
    const seats = Math.min(this.#seatsInUse + this.#seatsWaiting, this.#limit) / this.#activeQueues;
    this.#progress += (seats * passed) / 1000;
    if (this.#progress >= EPOCH) {
      this.#progress -= EPOCH;
      for (const queue of this.#queues.values()) queue.windBack(EPOCH);
      this.#use.epochAdvanced();
    }
    this.#use.progressed(this.#progress);
  }
}
