import type { Value } from '../values/value.ts';
import type { Attribute } from './attribute.ts';
import type { Frame } from './frame.ts';

/** A planned expression: gives its value and adds its cost to the frame. */
export type Evaluate = (frame: Frame) => Value;

/** A node of the tree once planned. */
export type Step =
  /** Known before evaluation; costs nothing. */
  | { readonly kind: 'constant'; readonly value: Value; readonly evaluate: Evaluate }
  /** A name or value with selections, which further selections extend. */
  | { readonly kind: 'attribute'; readonly attribute: Attribute; readonly evaluate: Evaluate }
  | { readonly kind: 'computed'; readonly evaluate: Evaluate };

export function constantStep(value: Value): Step {
  return { kind: 'constant', value, evaluate: () => value };
}

export function computedStep(evaluate: Evaluate): Step {
  return { kind: 'computed', evaluate };
}

/**
 * The expression can't be made a program: a constant conversion fails, a constant pattern doesn't parse. The
 * message is the client's.
 */
export class ProgramError extends Error {
  override name = 'ProgramError';
}
