import { pauseIfLarge } from '../../steps/run.ts';
import type { MaybePromise } from '../../steps/steps.ts';
import type { AttemptResult } from '../compare-and-swap.ts';
import { settleReservations } from './reserve.ts';
import type { Write } from './write.ts';

/** A step of a write. It throws what ends the request, and sets {@link Write.result} where it ends the attempt. */
export type Stage<Attempt extends Write> = (write: Attempt) => MaybePromise<void>;

/**
 * Runs stages in order until one ends the attempt. A large request lets others work before each stage; the stages of
 * a small one follow each other at once, unless they wait.
 */
export async function runStages<Attempt extends Write>(
  write: Attempt,
  stages: readonly Stage<Attempt>[],
): Promise<void> {
  const { request } = write.context;
  for (const stage of stages) {
    const pause = pauseIfLarge(request);
    if (pause !== undefined) await pause;
    const ended = stage(write);
    if (ended !== undefined) await ended;
    if (write.result !== undefined) return;
  }
}

/**
 * Makes one attempt: runs stages of which one ends the attempt, then keeps, releases or leaves what they reserved.
 * @throws the errors of the stages
 */
export async function attempt<Result, Attempt extends Write<Result>>(
  write: Attempt & Write<Result>,
  stages: readonly Stage<Attempt>[],
): Promise<AttemptResult<Result>> {
  try {
    await runStages(write, stages);
  } finally {
    const settled = settleReservations(write);
    if (settled !== undefined) await settled;
  }
  return write.result!;
}
