import type { Constant, Expression } from '../syntax.ts';
import type { Type } from '../types.ts';
import { exactly, ONE, type Range, UNKNOWN } from './size.ts';

/**
 * How large a value at a place of the schema may be: `path` starts with the variable, goes through fields,
 * `@items`, `@keys` and `@values`. Undefined when nothing is known about the place.
 */
export type SizeHints = (path: readonly string[]) => Range | undefined;

/** What the estimator knows about an operand. */
export interface Operand {
  readonly type: Type;
  readonly expression: Expression | undefined;
  /** Where in the schema its value comes from; undefined when it comes from no one place. */
  readonly path: readonly string[] | undefined;
  /** Its size where the expression itself says it: literals, and calls whose result was estimated. */
  readonly size: Range | undefined;
}

/** The size that a literal of this value has: code points, bytes, 1 for scalars. */
function constantSize(constant: Constant): Range {
  if (constant.type === 'string') {
    let length = 0;
    for (const _ of constant.value) length++;
    return exactly(length);
  }
  return constant.type === 'bytes' ? exactly(constant.value.length) : ONE;
}

/** The size that an expression has by its form. */
export function literalSize(expression: Expression): Range | undefined {
  switch (expression.kind) {
    case 'literal':
      return constantSize(expression.constant);
    case 'list':
      return exactly(expression.elements.length);
    case 'map':
      return exactly(expression.entries.length);
    default:
      return undefined;
  }
}

const SCALARS: ReadonlySet<Type['kind']> = new Set([
  'bool',
  'double',
  'duration',
  'int',
  'timestamp',
  'uint',
]);

/** Sizes of operands, with what the schema says. */
export class Sizes {
  readonly #hints: SizeHints | undefined;

  constructor(hints: SizeHints | undefined) {
    this.#hints = hints;
  }

  /** As the language's own functions see it: a scalar is 1. */
  of(operand: Operand): Range {
    return operand.size ?? this.#hinted(operand) ?? (SCALARS.has(operand.type.kind) ? ONE : UNKNOWN);
  }

  /** As the functions of libraries see it: without saying, anything. */
  ofArgument(operand: Operand): Range {
    return operand.size ?? this.#hinted(operand) ?? UNKNOWN;
  }

  #hinted({ path }: Operand): Range | undefined {
    return path === undefined || path.length === 0 ? undefined : this.#hints?.(path);
  }
}
