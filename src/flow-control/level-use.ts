import type { FlowControlMetrics } from '../observability/metrics-flow-control.ts';
import { DemandIntegrator } from './demand.ts';
import type { Queue } from './queue.ts';

/** What a priority level uses, for the metrics, the debug tables and the adjustment of its seats. */
export class LevelUse {
  readonly demand: DemandIntegrator;
  dispatches = 0;
  rejected = 0;
  cancelled = 0;
  #waitingCapacity = 1;
  #seats = 1;
  readonly #metrics: ReturnType<typeof cellsOf>;
  readonly #epochs: { add(): void };

  /** @param now monotonic milliseconds, here and in the methods */
  constructor(name: string, metrics: FlowControlMetrics, now: number) {
    this.demand = new DemandIntegrator(now);
    this.#metrics = cellsOf(name, metrics);
    this.#epochs = { add: () => metrics.epochs.with(name, 'true').add() };
    this.#metrics.progress.set(0);
    this.update(now, 0, 0, 0, 0);
  }

  /** Sets what counts as full use. @param waitingCapacity requests @param seats above 0 */
  setCapacity(waitingCapacity: number, seats: number): void {
    this.#waitingCapacity = Math.max(1, waitingCapacity);
    this.#seats = seats;
  }

  update(now: number, waiting: number, executing: number, seatsInUse: number, seatsWaiting: number): void {
    const cells = this.#metrics;
    const demanded = seatsInUse + seatsWaiting;
    this.demand.set(demanded, now);
    cells.waiting.set(waiting / this.#waitingCapacity, now);
    cells.executing.set(executing / this.#seats, now);
    cells.seats.set(seatsInUse / this.#seats, now);
    cells.demand.set(demanded / this.#seats, now);
  }

  /** Notes the progress of the level in seat-seconds. */
  progressed(progress: number): void {
    this.#metrics.progress.set(progress);
  }

  epochAdvanced(): void {
    this.#epochs.add();
  }

  /**
   * Notes a dispatch.
   * @param start where the queue was in virtual time
   * @param earliest the queue with waiting requests that is the first in virtual time @param latest the last
   * @param seconds expected duration of a request
   */
  dispatched(progress: number, start: number, earliest: Queue, latest: Queue, seconds: number): void {
    const cells = this.#metrics;
    cells.dispatchProgress.set(progress);
    cells.latestStart.set(start);
    cells.leastStart.set(earliest.nextDispatch);
    cells.greatestStart.set(latest.nextDispatch);
    cells.leastDiscounted.set(earliest.nextDispatch - earliest.seatsInUse * seconds);
    cells.greatestDiscounted.set(latest.nextDispatch - latest.seatsInUse * seconds);
  }
}

const cellsOf = (level: string, metrics: FlowControlMetrics) => ({
  waiting: metrics.requestUse.with('waiting', level),
  executing: metrics.requestUse.with('executing', level),
  seats: metrics.seatUse.with('executing', level),
  demand: metrics.demand.with(level),
  progress: metrics.progress.with(level),
  dispatchProgress: metrics.dispatchProgress.with(level),
  latestStart: metrics.latestStart.with(level),
  leastStart: metrics.nextStarts.with(level, 'min'),
  greatestStart: metrics.nextStarts.with(level, 'max'),
  leastDiscounted: metrics.nextDiscountedStarts.with(level, 'min'),
  greatestDiscounted: metrics.nextDiscountedStarts.with(level, 'max'),
});
