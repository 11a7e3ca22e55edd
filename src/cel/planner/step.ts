import { BinnacleError } from '../../errors/binnacle-error.ts';
import type { Value } from '../values/value.ts';
import type { Attribute } from './attribute.ts';
import type { Frame } from './frame.ts';

/** A planned expression: returns its value and adds its cost to the frame. */
export type Evaluate = (frame: Frame) => Value;

/** A planned node of the tree. */
export type Step =
  /** Known at planning; free. */
  | { readonly kind: 'constant'; readonly value: Value; readonly evaluate: Evaluate }
  /** A name or value with selections; further selections extend it. */
  | { readonly kind: 'attribute'; readonly attribute: Attribute; readonly evaluate: Evaluate }
  | { readonly kind: 'computed'; readonly evaluate: Evaluate };

export function constantStep(value: Value): Step {
  return { kind: 'constant', value, evaluate: () => value };
}

export function computedStep(evaluate: Evaluate): Step {
  return { kind: 'computed', evaluate };
}

/**
 * The expression cannot be planned: a constant conversion fails, or a constant pattern does not parse.
 * Clients see the message.
 */
export class ProgramError extends BinnacleError {
  override name = 'ProgramError';
  readonly code = 'ERR_BINNACLE_PROGRAM';
}
