import { LoopScheduler } from '../../src/steps/loop-scheduler.ts';

/** Turns of the event loop that nobody else takes. */
export const loopTurns = () => new LoopScheduler().own;
