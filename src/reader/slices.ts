import { processClock } from '../time/clock.ts';

/** Milliseconds of work between two turns of the event loop. */
const SLICE_MILLISECONDS = 4;

/** Whether work that began then is to let others have their turn. @param start in monotonic time */
export const isSliceOver = (start: number): boolean => processClock.monotonic() - start > SLICE_MILLISECONDS;
