import { type FlowControlMetrics, removeSeries } from '../observability/metrics-flow-control.ts';
import { allocateSeats, sumOf } from './allocation.ts';
import { type LevelParts, PriorityLevel } from './level.ts';
import type { LevelSettings } from './settings.ts';

/** All priority levels, and the seats of the server among them. */
export class PriorityLevels {
  #levels = new Map<string, PriorityLevel>();
  /** Requests that may execute and wait in all levels together. */
  capacity = { executing: 1, waiting: 1 };
  readonly #total: number;
  readonly #parts: LevelParts;
  readonly #metrics: FlowControlMetrics;

  /** @param total seats of the server, above 0 */
  constructor(total: number, parts: LevelParts) {
    this.#total = total;
    this.#parts = parts;
    this.#metrics = parts.metrics;
  }

  get(name: string): PriorityLevel | undefined {
    return this.#levels.get(name);
  }

  /** All levels by name, those included that are only being emptied. */
  all(): PriorityLevel[] {
    return [...this.#levels.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
  }

  /** Whether no request executes or waits, and there has been no demand for long: nothing is lent. */
  get isAtRest(): boolean {
    return [...this.#levels.values()].every(({ queues, demand }) => queues.isIdle && demand.smoothed < 1);
  }

  /** Changes the levels, by name. A level without settings is removed once its last request has ended. */
  configure(settings: ReadonlyMap<string, LevelSettings>): void {
    const next = new Map<string, PriorityLevel>();
    for (const [name, one] of settings) {
      const level = this.#levels.get(name) ?? new PriorityLevel(one, this.#parts);
      level.settings = one;
      level.isQuiescing = false;
      next.set(name, level);
    }
    for (const [name, level] of this.#levels) {
      if (settings.has(name)) continue;
      if (level.queues.isIdle) this.#forget(name);
      else {
        level.isQuiescing = true;
        next.set(name, level);
      }
    }
    this.#levels = next;
    this.#divide();
  }

  /** Removes a level without object once it is idle. */
  reap(level: PriorityLevel): void {
    if (!level.isQuiescing || !level.queues.isIdle || this.#levels.get(level.name) !== level) return;
    this.#levels.delete(level.name);
    this.#forget(level.name);
    this.#divide();
  }

  #forget(name: string): void {
    removeSeries(this.#metrics, 'priority_level', name);
  }

  #divide(): void {
    let shares = 0;
    for (const { settings } of this.#levels.values()) shares += settings.shares;
    let executing = 0;
    let waiting = 0;
    for (const level of this.#levels.values()) {
      level.setLimits(this.#total, shares);
      executing += level.limits.nominal;
      waiting += level.waitingCapacity;
    }
    this.capacity = { executing, waiting };
    this.adjust();
  }

  /**
   * Adjusts the seats of the levels to the demand since the last time: levels with more demand than seats
   * borrow from those with less. kube-apiserver does the same every ten seconds.
   */
  adjust(): void {
    const now = this.#parts.clock.monotonic();
    const levels = [...this.#levels.values()];
    let nominal = 0;
    for (const level of levels) {
      level.demand.update(level.use.demand.end(now));
      nominal += level.limits.nominal;
    }
    const claims = levels.map(claimOf);
    const limited = claims.filter(({ level }) => !level.isExempt);
    const exempt = claims.filter(({ level }) => level.isExempt);
    const left = nominal - sumOf(exempt.map(({ lower }) => lower));
    const lowest = sumOf(limited.map(({ level }) => level.limits.lower));
    const demanded = sumOf(limited.map(({ lower }) => lower));
    for (const { level, lower } of exempt) level.setCurrent(lower, lower, this.#total);
    if (left <= demanded) {
      // Exempt requests take so much that nobody can borrow.
      const part = left <= lowest ? 0 : (left - lowest) / (demanded - lowest);
      this.#metrics.fairFraction.with().set(0);
      for (const { level, lower, target } of limited) {
        const least = level.limits.lower;
        level.setCurrent(least + Math.round((lower - least) * part), target, this.#total);
      }
      return;
    }
    const { seats, fraction } = allocateSeats(nominal, limited);
    this.#metrics.fairFraction.with().set(fraction);
    for (const [index, { level, target }] of limited.entries())
      level.setCurrent(seats === undefined ? level.current : Math.round(seats[index]!), target, this.#total);
  }
}

/** What a level may and should get: at least what it needed, up to its nominal seats. */
function claimOf(level: PriorityLevel) {
  const { limits, demand } = level;
  const needed = level.isExempt ? demand.highest : Math.min(limits.nominal, demand.highest);
  const lower = Math.max(limits.lower, needed);
  return { level, lower, upper: limits.upper, target: Math.max(lower, demand.smoothed) };
}
