import type { Operand, Sizes } from './nodes.ts';
import type { Range } from './size.ts';

/** What a call can cost, and how large its result can be where that is known. */
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
