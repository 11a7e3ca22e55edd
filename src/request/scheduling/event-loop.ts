import type { MaybePromise, RequestContext } from '../context.ts';

/** A request that has more bytes than this in hand does its work in steps. */
const LARGE_BYTES = 256 * 1024;

/**
 * Hands out the loop to those with much to do, one step at a time; everybody else is served in between. Who
 * has begun goes first, so that few large objects are in memory at once. As many wait as there are large
 * requests in flight, which the limits on those bound.
 */
export class Turns {
  readonly #begun: (() => void)[] = [];
  readonly #waiting: (() => void)[] = [];

  /** Settles at a turn of the loop that nobody else with much to do has. */
  take(begun: boolean): Promise<void> {
    return new Promise((resolve) => {
      if (this.#begun.length + this.#waiting.length === 0) setImmediate(() => this.#next());
      (begun ? this.#begun : this.#waiting).push(resolve);
    });
  }

  #next(): void {
    const resolve = this.#begun.shift() ?? this.#waiting.shift();
    if (this.#begun.length + this.#waiting.length > 0) setImmediate(() => this.#next());
    resolve?.();
  }
}

const turns = new Turns();

/** A turn of the loop between two steps of long work, whatever the request has in hand. */
export const nextTurn = (): Promise<void> => turns.take(true);

/**
 * Does work that yields only after some milliseconds of it, with a turn of the loop at each of those places.
 */
export async function inTurns<Result>(steps: Iterator<unknown, Result, void>): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await turns.take(true);
  }
}

/** Before a body is decoded: large ones wait for their turn. */
export function firstStep({ bytesInHand }: Pick<RequestContext, 'bytesInHand'>): MaybePromise<void> {
  return bytesInHand < LARGE_BYTES ? undefined : turns.take(false);
}

/** Between two steps of a request's work: those with much to do let others through. */
export function nextStep({ bytesInHand }: Pick<RequestContext, 'bytesInHand'>): MaybePromise<void> {
  return bytesInHand < LARGE_BYTES ? undefined : turns.take(true);
}

/** Does work that may be left between its steps. */
export async function inSteps<Result>(
  request: Pick<RequestContext, 'bytesInHand'>,
  steps: Iterator<undefined, Result, void>,
): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const turn = nextStep(request);
    if (turn !== undefined) await turn;
  }
}

/**
 * Does long work whose steps tell how much they were: after every `most` of it, others get their turn.
 */
export async function inParts<Result>(steps: Iterator<number, Result, void>, most: number): Promise<Result> {
  let done = 0;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    done += step.value;
    if (done < most) continue;
    done = 0;
    await turns.take(true);
  }
}

/** Notes that the request works on so many bytes. */
export function takeInHand(request: Pick<RequestContext, 'bytesInHand'>, bytes: number): void {
  if (bytes > request.bytesInHand) request.bytesInHand = bytes;
}
