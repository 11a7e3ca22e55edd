import type { MaybePromise } from '../context.ts';
import type { LoopTurns } from './loop-scheduler.ts';

/** Work that pauses where it must wait. */
export type Steps<Result> = Generator<Promise<unknown>, Result, void>;

/** Runs work; synchronously if it does not pause. A promise that rejects throws inside of the work. */
export function runPausing<Result>(steps: Steps<Result>): MaybePromise<Result> {
  const step = steps.next();
  return step.done === true ? step.value : finish(steps, step.value);
}

async function finish<Result>(steps: Steps<Result>, first: Promise<unknown>): Promise<Result> {
  let pending = first;
  for (;;) {
    let step: IteratorResult<Promise<unknown>, Result>;
    try {
      await pending;
      step = steps.next();
    } catch (error) {
      step = steps.throw(error);
    }
    if (step.done === true) return step.value;
    pending = step.value;
  }
}

/** Waits for a value inside of {@link Steps}. */
export function* settled<Value>(value: MaybePromise<Value>): Steps<Value> {
  if (!(value instanceof Promise)) return value;
  let result!: Value;
  yield value.then((resolved) => {
    result = resolved;
  });
  return result;
}

/** Cost units that a request evaluates without a turn of its own: about ten milliseconds. */
const COST_WITHOUT_TURN = 1_000_000;
/** Cost units after which it looks whether its turn is over. */
const COST_AT_ONCE = 100_000;

/** Divides the evaluations of one request into turns of the event loop. */
export class Turns {
  #cost = 0;
  #looked = 0;

  constructor(private readonly loop: LoopTurns) {}

  /** Returns a promise for the next turn when this one has taken its time, or has cost enough. */
  after(cost: number): Promise<void> | undefined {
    this.#cost += cost;
    if (this.#cost - this.#looked < COST_AT_ONCE) return undefined;
    this.#looked = this.#cost;
    if (this.#cost < COST_WITHOUT_TURN && !this.loop.isOver) return undefined;
    this.#cost = 0;
    this.#looked = 0;
    return this.loop.pause();
  }
}
