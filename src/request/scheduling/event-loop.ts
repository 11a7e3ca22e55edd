import type { MaybePromise, RequestContext } from '../context.ts';

/** A request that works on at least this many bytes yields to the event loop between its steps. */
const LARGE_REQUEST_BYTES = 256 * 1024;

/** The part of a request that decides whether it yields. */
type SizedRequest = Pick<RequestContext, 'workingSetBytes'>;

/**
 * Runs at most one step of the large requests per iteration of the event loop, so that small requests are
 * served in between. Requests that have started run before those that have not, which keeps the number of
 * large objects in memory low. The limits on large requests in flight bound the length of the queues.
 */
export class EventLoopScheduler {
  readonly #started: (() => void)[] = [];
  readonly #pending: (() => void)[] = [];

  /** Resolves in an iteration of the event loop that no other waiting request gets. */
  waitForTurn(started: boolean): Promise<void> {
    return new Promise((resolve) => {
      if (this.#started.length + this.#pending.length === 0) setImmediate(() => this.#next());
      (started ? this.#started : this.#pending).push(resolve);
    });
  }

  #next(): void {
    const resolve = this.#started.shift() ?? this.#pending.shift();
    if (this.#started.length + this.#pending.length > 0) setImmediate(() => this.#next());
    resolve?.();
  }
}

const scheduler = new EventLoopScheduler();

/** Yields to the event loop, whatever the size of the request. */
export const yieldToEventLoop = (): Promise<void> => scheduler.waitForTurn(true);

/** Runs work that itself pauses every few milliseconds, and yields to the event loop at each pause. */
export async function runInSteps<Result>(steps: Iterator<unknown, Result, void>): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await (step.value instanceof Promise ? step.value : scheduler.waitForTurn(true));
  }
}

/** Makes a large request wait for its first turn, before its body is decoded. */
export function waitIfLarge({ workingSetBytes }: SizedRequest): MaybePromise<void> {
  return workingSetBytes < LARGE_REQUEST_BYTES ? undefined : scheduler.waitForTurn(false);
}

/** Makes a large request yield to the event loop between two steps. */
export function yieldIfLarge({ workingSetBytes }: SizedRequest): MaybePromise<void> {
  return workingSetBytes < LARGE_REQUEST_BYTES ? undefined : scheduler.waitForTurn(true);
}

/**
 * Runs work that may pause between its steps; a large request yields at each pause. A yielded promise is
 * awaited.
 */
export async function runInStepsIfLarge<Result>(
  request: SizedRequest,
  steps: Iterator<undefined | Promise<void>, Result, void>,
): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const turn = step.value ?? yieldIfLarge(request);
    if (turn !== undefined) await turn;
  }
}

/** Runs work whose steps report their cost, and yields to the event loop each time `batch` is reached. */
export async function runInBatches<Result>(
  steps: Iterator<number, Result, void>,
  batch: number,
): Promise<Result> {
  let done = 0;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    done += step.value;
    if (done < batch) continue;
    done = 0;
    await scheduler.waitForTurn(true);
  }
}

/** Records that the request works on this many bytes; the largest recorded size counts. */
export function recordRequestSize(request: SizedRequest, bytes: number): void {
  if (bytes > request.workingSetBytes) request.workingSetBytes = bytes;
}
