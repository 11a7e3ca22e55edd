import type { Constant, Expression } from '../syntax.ts';
import type { Type } from '../types.ts';
import { exactly, ONE, type Range, UNKNOWN } from './size.ts';

/**
 * The size range of a value in the schema: `path` starts with the variable, followed by field names,
 * `@items`, `@keys` and `@values`. Undefined when nothing is known about the path.
 */
export type SizeHints = (path: readonly string[]) => Range | undefined;

/** An operand as the estimator sees it. */
export interface Operand {
  readonly type: Type;
  readonly expression: Expression | undefined;
  /** The path in the schema that its value comes from; undefined when there is no single path. */
  readonly path: readonly string[] | undefined;
  /** Its size where the expression determines it: literals, and calls whose result was estimated. */
  readonly size: Range | undefined;
}

/** The size of a constant: code points, bytes, 1 for scalars. */
function constantSize(constant: Constant): Range {
  if (constant.type === 'string') {
    let length = 0;
    for (const _ of constant.value) length++;
    return exactly(length);
  }
  return constant.type === 'bytes' ? exactly(constant.value.length) : ONE;
}

/** The size of a literal; undefined for other expressions. */
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

/** Sizes of operands, from the expression or the schema. */
export class Sizes {
  readonly #hints: SizeHints | undefined;

  constructor(hints: SizeHints | undefined) {
    this.#hints = hints;
  }

  /** The size as the language's own functions count it: a scalar is 1. */
  of(operand: Operand): Range {
    return this.known(operand) ?? (SCALARS.has(operand.type.kind) ? ONE : UNKNOWN);
  }

  /** The size that the expression or the schema determines. */
  known(operand: Operand): Range | undefined {
    return operand.size ?? this.#hinted(operand);
  }

  /** The size as library functions count it: unbounded when unknown. */
  ofArgument(operand: Operand): Range {
    return this.known(operand) ?? UNKNOWN;
  }

  #hinted({ path }: Operand): Range | undefined {
    return path === undefined || path.length === 0 ? undefined : this.#hints?.(path);
  }
}
