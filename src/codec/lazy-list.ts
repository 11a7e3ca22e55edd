import type { PartSteps } from '../steps/steps.ts';

/** A list whose items are created one at a time while it is written, so that they are never all in memory. */
export class LazyList {
  /** @param items `length` items in plain form, with pauses where making them takes long */
  constructor(
    readonly length: number,
    readonly items: PartSteps<unknown>,
  ) {}
}
