import { sizeOf } from './json.ts';

/** A long computation that can be suspended at each yield. */
export type Steps<Result> = Generator<undefined, Result, void>;

/** Size of values (see {@link sizeOf}) that are handled without a pause, in well below a millisecond. */
const SMALL = 2000;

/** Returns whether the functions without steps handle a value in well below a millisecond. */
export const isSmallValue = (value: unknown): boolean => sizeOf(value, SMALL) <= SMALL;
