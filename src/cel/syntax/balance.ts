import type { Expression } from '../syntax.ts';

/**
 * Joins terms by calls of one operator into a tree of logarithmic depth; `operators[i]` is the id of the
 * operator between terms i and i + 1.
 */
export function balance(
  terms: readonly Expression[],
  operators: readonly number[],
  name: string,
): Expression {
  const join = (low: number, high: number): Expression => {
    const middle = (low + high + 1) >> 1;
    const left = middle === low ? terms[middle]! : join(low, middle - 1);
    const right = middle === high ? terms[middle + 1]! : join(middle + 1, high);
    return {
      kind: 'call',
      id: operators[middle]!,
      function: name,
      target: undefined,
      arguments: [left, right],
    };
  };
  return join(0, operators.length - 1);
}
