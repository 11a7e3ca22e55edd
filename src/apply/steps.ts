/** A long computation that can be suspended at each yield. A yielded promise must settle before it goes on. */
export type Steps<Result> = Generator<undefined | Promise<void>, Result, void>;

/**
 * Runs all steps without a pause.
 * @throws Error when a step waits for a promise, which is a programming error
 */
export function runToCompletion<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (step.value !== undefined) throw new Error('the steps wait for a promise; run them asynchronously');
  }
}

/** Waits for a value that may depend on something outside the process. @throws the error of the promise */
export function* awaiting<Result>(value: Result | Promise<Result>): Steps<Result> {
  if (!(value instanceof Promise)) return value;
  let outcome: { readonly value: Result } | { readonly error: unknown } | undefined;
  yield value.then(
    (result) => {
      outcome = { value: result };
    },
    (error: unknown) => {
      outcome = { error };
    },
  );
  if (outcome === undefined) throw new Error('the steps went on before their promise was settled');
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}
