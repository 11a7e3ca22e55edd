import { yieldToEventLoop } from '../time/event-loop.ts';
import { stepSizes } from './sizes.ts';
import type { MaybePromise, Pause } from './steps.ts';
import type { LoopTurns } from './turns.ts';

/** The part of a request that decides whether and when it takes turns. */
export interface SizedWork {
  /** Bytes of the largest body or object that the work processes. */
  workingSetBytes: number;
  /** The turns of the event loop for its steps. */
  readonly turns: LoopTurns;
}

/**
 * Runs all steps without a pause.
 * @throws Error when a step waits for a promise, which is a programming error
 */
export function runNow<Result>(steps: Iterator<unknown, Result, void>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (step.value instanceof Promise) throw new Error('the steps wait for a promise; run them in turns');
  }
}

/** Runs work that takes turns: a pause waits for the next one when the present one is over. */
export async function runInTurns<Result>(
  turns: LoopTurns,
  steps: Generator<unknown, Result, void>,
): Promise<Result> {
  return drive(steps, () => turns.pause());
}

/** Runs work at once, but for its waits; synchronously if there is none. */
export function runWaiting<Result>(steps: Generator<unknown, Result, void>): MaybePromise<Result> {
  return drive(steps, noPause);
}

const noPause = (): undefined => undefined;

/** Runs work of a request: a large request takes turns, others pause when their turn has taken its time. */
export function runIfLarge<Result>(
  work: SizedWork,
  steps: Generator<unknown, Result, void>,
): MaybePromise<Result> {
  return drive(steps, () => pauseIfLarge(work));
}

/** Runs work that belongs to no request: other events are handled at each pause. */
export async function runInBackground<Result>(steps: Generator<unknown, Result, void>): Promise<Result> {
  return drive(steps, yieldToEventLoop);
}

/** Whether all steps of a request take turns. */
export function isLarge({ workingSetBytes }: Pick<SizedWork, 'workingSetBytes'>): boolean {
  return workingSetBytes >= stepSizes.requestBytes;
}

/** Makes a large request wait for its first turn, before its body is decoded. */
export function waitIfLarge(work: SizedWork): MaybePromise<void> {
  return isLarge(work) ? work.turns.next(false) : undefined;
}

/** Makes a large request, or one whose turn has taken its time, wait for its next turn between two steps. */
export function pauseIfLarge(work: SizedWork): MaybePromise<void> {
  return isLarge(work) || work.turns.isOver ? work.turns.pause() : undefined;
}

/** Makes a request large, because of an object that defaults have made large. */
export function recordLarge(work: Pick<SizedWork, 'workingSetBytes'>): void {
  recordSize(work, stepSizes.requestBytes);
}

/** Records that the request works on this many bytes; the largest recorded size counts. */
export function recordSize(work: Pick<SizedWork, 'workingSetBytes'>, bytes: number): void {
  if (bytes > work.workingSetBytes) work.workingSetBytes = bytes;
}

/** Runs work to its first wait; synchronously to its end if there is none. */
function drive<Result>(
  steps: Generator<unknown, Result, void>,
  pause: () => MaybePromise<void>,
): MaybePromise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const wait = step.value instanceof Promise ? step.value : pause();
    if (wait !== undefined) return driveOn(steps, pause, wait);
  }
}

async function driveOn<Result>(
  steps: Generator<unknown, Result, void>,
  pause: () => MaybePromise<void>,
  first: Promise<unknown>,
): Promise<Result> {
  let wait: Pause = first;
  for (;;) {
    const step: IteratorResult<unknown, Result> =
      wait === undefined ? steps.next() : await resumed(steps, wait);
    if (step.done === true) return step.value;
    wait = step.value instanceof Promise ? step.value : (pause() as Pause);
  }
}

/** The next step after a wait; the error of the wait is thrown inside of the work. */
async function resumed<Result>(
  steps: Generator<unknown, Result, void>,
  wait: Promise<unknown>,
): Promise<IteratorResult<unknown, Result>> {
  try {
    await wait;
  } catch (error) {
    return steps.throw(error);
  }
  return steps.next();
}
