/** Seat demand of a priority level during a period. */
export interface DemandPeriod {
  /** Milliseconds. */
  readonly duration: number;
  readonly average: number;
  readonly deviation: number;
  readonly highest: number;
}

/** Integrates a value over time: its average, standard deviation and maximum, weighted by duration. */
export class DemandIntegrator {
  #value = 0;
  #highest = 0;
  #last: number;
  #duration = 0;
  #sum = 0;
  #squares = 0;

  /** @param now monotonic milliseconds, here and in the methods */
  constructor(now: number) {
    this.#last = now;
  }

  set(value: number, now: number): void {
    this.#advance(now);
    this.#value = value;
    if (value > this.#highest) this.#highest = value;
  }

  /** Ends the period and begins the next one. */
  end(now: number): DemandPeriod {
    this.#advance(now);
    const duration = this.#duration;
    const average = duration > 0 ? this.#sum / duration : 0;
    const variance = duration > 0 ? this.#squares / duration - average * average : 0;
    const period = {
      duration,
      average,
      deviation: Math.sqrt(Math.max(0, variance)),
      highest: this.#highest,
    };
    this.#duration = 0;
    this.#sum = 0;
    this.#squares = 0;
    this.#highest = this.#value;
    return period;
  }

  #advance(now: number): void {
    const passed = now - this.#last;
    if (passed <= 0) return;
    this.#last = now;
    this.#duration += passed;
    this.#sum += this.#value * passed;
    this.#squares += this.#value * this.#value * passed;
  }
}

/** Decay of the smoothed demand per adjustment: half of it in five minutes. */
const SMOOTHING = 0.977;

/** The seat demand of a priority level over the last period, and smoothed over time. */
export class SeatDemand {
  average = 0;
  deviation = 0;
  highest = 0;
  smoothed = 0;

  update(period: DemandPeriod): void {
    this.highest = Math.round(period.highest);
    if (period.duration <= 0) return;
    this.average = period.average;
    this.deviation = period.deviation;
    const envelope = period.average + period.deviation;
    this.smoothed = Math.max(envelope, SMOOTHING * this.smoothed + (1 - SMOOTHING) * envelope);
  }
}
