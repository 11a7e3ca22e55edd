/** A list whose items are made one at a time while it is written, so that they are never all in memory. */
export class LazyList {
  /** @param items as many as `length` says, in plain form */
  constructor(
    readonly length: number,
    readonly items: Iterable<unknown>,
  ) {}
}
