/** Stands between the items of a {@link LazyList} where making the next one pauses; it is not written. */
export const LAZY_PAUSE = Symbol('pause');

/** A list whose items are created one at a time while it is written, so that they are never all in memory. */
export class LazyList {
  /** @param items `length` items in plain form, and any number of {@link LAZY_PAUSE} */
  constructor(
    readonly length: number,
    readonly items: Iterable<unknown>,
  ) {}
}
