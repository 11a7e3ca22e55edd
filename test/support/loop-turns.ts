import { LoopScheduler } from '../../src/request/scheduling/loop-scheduler.ts';

/** Turns of the event loop that nobody else takes. */
export const loopTurns = () => new LoopScheduler().own;
