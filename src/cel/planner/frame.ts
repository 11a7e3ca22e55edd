import type { Meter } from '../values/meter.ts';
import type { Value } from '../values/value.ts';
import { Halt } from './halt.ts';

/** The variables of an evaluation by their full names. */
export interface Bindings {
  get(name: string): Value | undefined;
}

/** The limits of one evaluation. */
export interface EvaluationLimits {
  /** The maximum cost of this evaluation; unlimited when absent. */
  readonly limit?: number;
  /** The remaining cost that this evaluation shares with others; unlimited when absent. */
  readonly budget?: number;
  /** Called every 100 iterations of comprehensions: whether the deadline has passed. */
  readonly expired?: () => boolean;
}

/**
 * The maximum work without a cost of its own in one evaluation (elements compared in nested lists, text
 * created).
 */
const MAX_UNCOSTED_WORK = 20_000_000;
const ITERATIONS_BETWEEN_CHECKS = 100;

/** The state of one evaluation. Programs are stateless, so that evaluations can share them. */
export class Frame implements Meter {
  cost = 0;
  /** The cost above which the evaluation stops. */
  readonly maxCost: number;
  readonly bindings: Bindings;
  /** The variables of comprehensions, by slot number. */
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

  /** Adds the cost of one step. @throws Halt when a limit is exceeded */
  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.maxCost) this.exceeded();
  }

  /**
   * Adds the cost of steps that cost 1 each; stops at the first that exceeds a limit.
   * @throws Halt
   */
  chargeSteps(steps: number): void {
    this.cost += steps;
    if (this.cost > this.maxCost) this.stopAtLimit();
  }

  /**
   * Stops at the first step beyond the limit, among steps of cost 1 that are added already.
   * @throws Halt
   */
  stopAtLimit(): never {
    this.cost = Math.floor(this.maxCost) + 1;
    this.exceeded();
  }

  /**
   * Stops if adding a cost would exceed a limit, so that a function can check before doing the work.
   * @throws Halt with the cost added
   */
  ensureAffordable(cost: number): void {
    if (this.cost + cost > this.maxCost) this.charge(cost);
  }

  work(steps: number): void {
    this.workLeft -= steps;
    if (this.workLeft < 0) throw new Halt('limit');
  }

  /** Counts an iteration of a comprehension. @throws Halt when the deadline has passed */
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
