/** Milliseconds of work between two turns of the event loop. */
const SLICE_MILLISECONDS = 4;

/** Whether work that began then is to let others have their turn. @param start of `performance.now()` */
export const isSliceOver = (start: number): boolean => performance.now() - start > SLICE_MILLISECONDS;
