import type { FlowControlMetrics } from '../observability/metrics-flow-control.ts';
import { type LoopScheduler, TurnGroup } from '../steps/loop-scheduler.ts';
import type { LoopTurns } from '../steps/turns.ts';
import type { ProcessClock } from '../time/clock.ts';
import { SeatDemand } from './demand.ts';
import { LevelUse } from './level-use.ts';
import { QueueSet } from './queue-set.ts';
import { RetryAfter } from './retry-after.ts';
import type { LevelSettings } from './settings.ts';
import { MAXIMUM_SEATS } from './work-estimate.ts';

/** Part of the nominal seats that one request may occupy. */
const SEATS_OF_REQUEST = 0.15;

/** Seats as which an exempt level counts when turns of the event loop are shared. */
const EXEMPT_WEIGHT = 100;

/** The seats of a priority level by its settings. */
export interface SeatLimits {
  readonly nominal: number;
  readonly lower: number;
  readonly upper: number;
}

/** What priority levels need. */
export interface LevelParts {
  readonly clock: Pick<ProcessClock, 'monotonic' | 'after'>;
  readonly metrics: FlowControlMetrics;
  /** Shares the event loop among the flows. */
  readonly loop: LoopScheduler;
}

/** A priority level and its requests. It exists until its last request has ended, also without its object. */
export class PriorityLevel {
  readonly name: string;
  readonly use: LevelUse;
  readonly queues: QueueSet;
  readonly demand = new SeatDemand();
  readonly retryAfter = new RetryAfter();
  settings: LevelSettings;
  /** The object is gone; the level is only being emptied. */
  isQuiescing = false;
  limits: SeatLimits = { nominal: 0, lower: 0, upper: 0 };
  /** The seats that it has now, by lending and borrowing. */
  current = 0;
  /** The most seats of one request. */
  maximumSeats = MAXIMUM_SEATS;
  readonly #loop: LoopScheduler;
  readonly #turnGroup: TurnGroup;
  readonly #metrics: FlowControlMetrics;

  constructor(settings: LevelSettings, { clock, metrics, loop }: LevelParts) {
    this.name = settings.name;
    this.settings = settings;
    this.use = new LevelUse(settings.name, metrics, clock.monotonic());
    this.queues = new QueueSet(clock, this.use);
    this.#loop = loop;
    this.#turnGroup = new TurnGroup(() => this.#weight());
    this.#metrics = metrics;
  }

  /** The turns of the event loop for a flow of this level: its flows share the turns by the level's seats. */
  newTurns(): LoopTurns {
    return this.#loop.flow(this.#turnGroup);
  }

  /** An exempt level has no seats of its own and is weighed as the server's own work. */
  #weight(): number {
    return this.isExempt ? EXEMPT_WEIGHT : Math.max(1, this.current);
  }

  get isExempt(): boolean {
    return this.settings.queuing === 'exempt';
  }

  /** Divides the seats of the server by the shares of the levels. */
  setLimits(total: number, shares: number): void {
    const { settings, name } = this;
    const nominal = shares === 0 ? 0 : Math.ceil((total * settings.shares) / shares);
    const percent = settings.borrowingLimitPercent;
    const lower = nominal - Math.round((nominal * settings.lendablePercent) / 100);
    const upper = nominal + (percent === undefined ? total : Math.round((nominal * percent) / 100));
    this.limits = { nominal, lower, upper };
    this.#metrics.nominalLimit.with(name).set(nominal);
    this.#metrics.concurrencyLimit.with(name).set(nominal);
    this.#metrics.lowerLimit.with(name).set(lower);
    this.#metrics.upperLimit.with(name).set(upper);
    const { queuing } = settings;
    const byShare =
      queuing === 'exempt' || queuing.queues === 0
        ? MAXIMUM_SEATS
        : Math.max(
            1,
            Math.min(Math.ceil(nominal * SEATS_OF_REQUEST), Math.floor(nominal / queuing.handSize)),
          );
    this.maximumSeats = Math.min(byShare, MAXIMUM_SEATS);
  }

  /** Number of requests that may wait. */
  get waitingCapacity(): number {
    const { queuing } = this.settings;
    return queuing === 'exempt' ? 0 : queuing.queues * queuing.queueLength;
  }

  /** Gives the level its seats. @param target what it should have, for the metrics */
  setCurrent(seats: number, target: number, total: number): void {
    const { name, demand } = this;
    this.current = seats;
    this.#metrics.currentLimit.with(name).set(seats);
    this.#metrics.highestDemand.with(name).set(demand.highest);
    this.#metrics.averageDemand.with(name).set(demand.average);
    this.#metrics.demandDeviation.with(name).set(demand.deviation);
    this.#metrics.smoothedDemand.with(name).set(demand.smoothed);
    this.#metrics.target.with(name).set(target);
    this.use.setCapacity(this.waitingCapacity, seats > 0 ? seats : Math.max(1, Math.round(total / 10)));
    this.queues.configure(this.settings.queuing, seats);
  }
}
