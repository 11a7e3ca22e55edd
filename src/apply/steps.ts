/** Long work that its caller may leave alone for a while wherever it yields. */
export type Steps<Result> = Generator<undefined, Result, void>;

/** Does all steps, one right after the other. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
