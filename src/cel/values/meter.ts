/**
 * Counts work that has no cost of its own, such as comparing what is inside nested lists, and stops an
 * evaluation that does too much of it.
 */
export interface Meter {
  /** Counts steps. @throws Halt when the evaluation has no more work to spend. */
  work(steps: number): void;
}
