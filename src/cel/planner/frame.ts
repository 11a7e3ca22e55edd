import type { Meter } from '../values/meter.ts';
import type { Value } from '../values/value.ts';
import { Halt } from './halt.ts';

/** The variables of an evaluation by their full names. */
export interface Bindings {
  get(name: string): Value | undefined;
}

/** What bounds one evaluation. */
export interface EvaluationLimits {
  /** The highest cost of this evaluation; none when absent. */
  readonly limit?: number;
  /** What is left of the cost that this evaluation shares with others; none when absent. */
  readonly budget?: number;
  /** Asked every 100 iterations of comprehensions: whether the evaluation must stop. */
  readonly expired?: () => boolean;
}

/**
 * How much work without a cost of its own (elements compared inside of nested lists, text made) an evaluation
 * may do.
 */
const MAX_UNCOSTED_WORK = 20_000_000;
const ITERATIONS_BETWEEN_CHECKS = 100;

/** The state of one evaluation. A program has none, so that any number of evaluations can share it. */
export class Frame implements Meter {
  cost = 0;
  /** The cost above which the evaluation stops. */
  readonly maxCost: number;
  readonly bindings: Bindings;
  /** The variables of comprehensions, by the numbers that the planner gave them. */
  readonly slots: Value[];
  private readonly limits: EvaluationLimits;
  private iterations = 0;
  private workLeft = MAX_UNCOSTED_WORK;

  constructor(bindings: Bindings, slots: number, limits: EvaluationLimits) {
    this.bindings = bindings;
    this.slots = new Array<Value>(slots).fill(null);
    this.limits = limits;
    this.maxCost = Math.min(
      limits.limit ?? Number.POSITIVE_INFINITY,
      limits.budget ?? Number.POSITIVE_INFINITY,
    );
  }

  /** Adds the cost of one step. @throws Halt when that is too much. */
  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.maxCost) this.exceeded();
  }

  /**
   * Adds the cost of some steps that cost 1 each: the evaluation stops at the first that is too much.
   * @throws Halt
   */
  chargeSteps(steps: number): void {
    this.cost += steps;
    if (this.cost > this.maxCost) this.stopAtLimit();
  }

  /**
   * Stops at the first step that was too much, of steps that cost 1 each and are added already.
   * @throws Halt
   */
  stopAtLimit(): never {
    this.cost = Math.floor(this.maxCost) + 1;
    this.exceeded();
  }

  /**
   * Whether a cost that is about to be added would be too much; lets a function stop before it does the work.
   * @throws Halt, with the cost added
   */
  ensureAffordable(cost: number): void {
    if (this.cost + cost > this.maxCost) this.charge(cost);
  }

  work(steps: number): void {
    this.workLeft -= steps;
    if (this.workLeft < 0) throw new Halt('limit');
  }

  /** Counts an iteration of a comprehension. @throws Halt when the time is up. */
  iterate(): void {
    if (++this.iterations % ITERATIONS_BETWEEN_CHECKS === 0 && this.limits.expired?.() === true)
      throw new Halt('deadline');
  }

  private exceeded(): never {
    const { limit, budget } = this.limits;
    throw new Halt(
      budget !== undefined && this.cost > budget && !(limit !== undefined && limit < budget)
        ? 'budget'
        : 'limit',
    );
  }
}
