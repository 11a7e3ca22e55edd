/** A value, or the promise of one: work that usually ends without waiting. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Continues synchronously with an available value, so that it needs no promise. */
export function mapMaybePromise<From, To>(
  value: MaybePromise<From>,
  next: (value: From) => MaybePromise<To>,
): MaybePromise<To> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Where work can be suspended: nothing, or a promise that must settle before the work goes on. */
export type Pause = undefined | Promise<unknown>;

/**
 * Long work that can be suspended every few milliseconds. One of the runners in `run.ts` drives it. The values that
 * it yields are {@link Pause}s; a promise that rejects throws its error inside of the work.
 */
export type Steps<Result> = Generator<Pause, Result, void>;

/**
 * Steps that produce parts of a whole: text or bytes in order. `undefined` between two parts is a pause.
 */
export type PartSteps<Part, Result = void> = Generator<Part | undefined, Result, void>;

/** Runs steps that wait for nothing among those that produce parts. */
export function* pausing<Result>(steps: Iterator<unknown, Result, void>): Generator<undefined, Result, void> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    yield;
  }
}

/** Waits for a value that may depend on something outside of the work. @throws the error of the promise */
export function* waitFor<Value>(value: MaybePromise<Value>): Steps<Value> {
  if (!(value instanceof Promise)) return value;
  let result!: Value;
  yield value.then((settled) => {
    result = settled;
  });
  return result;
}
