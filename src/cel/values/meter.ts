/**
 * Counts work without a cost of its own, such as comparing nested lists, and stops an evaluation that does
 * too much of it.
 */
export interface Meter {
  /** Counts steps. @throws Halt when the evaluation exceeds its bound */
  work(steps: number): void;
}
