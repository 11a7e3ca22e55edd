/** A long computation that can be suspended at each yield. */
export type Steps<Result> = Generator<undefined, Result, void>;

/** Runs all steps without a pause. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
