import type { Literal } from './nodes.ts';

/**
 * Compares two values of a filter. @returns undefined where the kinds cannot be compared: an integer and a
 * float, lists, null, or an order of booleans
 */
export function compare(operator: string, left: unknown, right: unknown): boolean | undefined {
  const first = literalOf(left);
  const second = literalOf(right);
  if (first === undefined || second === undefined || first.kind !== second.kind) return undefined;
  const equal = first.value === second.value;
  if (operator === '==') return equal;
  if (operator === '!=') return !equal;
  if (first.kind === 'boolean') return undefined;
  const less =
    first.kind === 'string'
      ? Buffer.compare(Buffer.from(first.value as string), Buffer.from(second.value as string)) < 0
      : first.value < second.value;
  switch (operator) {
    case '<':
      return less;
    case '<=':
      return less || equal;
    case '>':
      return !less && !equal;
    case '>=':
      return !less;
    default:
      return undefined;
  }
}

/** A literal of a path as a value among those of an object. */
export class LiteralValue {
  constructor(readonly literal: Literal) {}
}

/** Integers of any size are compared as doubles, which is exact up to 2^53. */
function literalOf(value: unknown): Literal | undefined {
  switch (typeof value) {
    case 'string':
      return { kind: 'string', value };
    case 'boolean':
      return { kind: 'boolean', value };
    case 'bigint':
      return { kind: 'integer', value: Number(value) };
    case 'number':
      return { kind: Number.isInteger(value) ? 'integer' : 'float', value };
    default:
      return value instanceof LiteralValue ? value.literal : undefined;
  }
}
