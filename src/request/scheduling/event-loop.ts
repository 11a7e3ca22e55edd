import type { MaybePromise, RequestContext } from '../context.ts';
import type { LoopTurns } from './loop-scheduler.ts';

/** A request that works on at least this many bytes takes turns for its steps. */
const LARGE_REQUEST_BYTES = 256 * 1024;

/** The part of a request that decides whether and when it takes turns. */
export type SizedRequest = Pick<RequestContext, 'workingSetBytes' | 'turns'>;

/** Whether the steps of a request take turns from its beginning. */
export function isLarge({ workingSetBytes }: Pick<SizedRequest, 'workingSetBytes'>): boolean {
  return workingSetBytes >= LARGE_REQUEST_BYTES;
}

/** Runs work that itself pauses every few milliseconds; it takes turns. A yielded promise is awaited. */
export async function runInSteps<Result>(
  turns: LoopTurns,
  steps: Iterator<unknown, Result, void>,
): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const turn = step.value instanceof Promise ? step.value : turns.pause();
    if (turn !== undefined) await turn;
  }
}

/** Makes a large request wait for its first turn, before its body is decoded. */
export function waitIfLarge(request: SizedRequest): MaybePromise<void> {
  return isLarge(request) ? request.turns.next(false) : undefined;
}

/** Makes a large request, or one whose turn has taken its time, wait for its next turn between two steps. */
export function yieldIfLarge(request: SizedRequest): MaybePromise<void> {
  return isLarge(request) || request.turns.isOver ? request.turns.pause() : undefined;
}

/**
 * Runs work that may pause between its steps; a large request takes turns. A yielded promise is awaited.
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

/** Makes a request large, because of an object that defaults have made large. */
export function recordLargeRequest(request: Pick<RequestContext, 'workingSetBytes'>): void {
  recordRequestSize(request, LARGE_REQUEST_BYTES);
}

/** Records that the request works on this many bytes; the largest recorded size counts. */
export function recordRequestSize(request: Pick<RequestContext, 'workingSetBytes'>, bytes: number): void {
  if (bytes > request.workingSetBytes) request.workingSetBytes = bytes;
}
