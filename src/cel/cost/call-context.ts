import type { Operand, Sizes } from './nodes.ts';
import type { Range } from './size.ts';

/** The cost of a call, and the size of its result where it is known. */
export interface CallEstimate {
  readonly cost: Range;
  readonly size?: Range;
}

/** A call whose operands have been estimated. */
export interface CallContext {
  readonly name: string;
  readonly target: Operand | undefined;
  readonly arguments: readonly Operand[];
  readonly argumentCosts: readonly Range[];
  readonly sizes: Sizes;
}
