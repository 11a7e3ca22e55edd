/** Runs work that can pause, without pauses. */
export function runToEnd<Result>(steps: Iterator<unknown, Result, void>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
