import type { Call, Comprehension, Expression } from '../syntax.ts';
import { countUses } from './scope.ts';

/**
 * The expansion of a known macro, recognized in the tree so that it can be evaluated faster at the same cost.
 */
export type Shape =
  | {
      readonly kind: 'quantifier';
      readonly predicate: Expression;
      readonly deciding: boolean;
      readonly conditionCost: number;
    }
  | { readonly kind: 'collector'; readonly predicate: Expression | undefined; readonly appended: Expression }
  | { readonly kind: 'count'; readonly predicate: Expression }
  | undefined;

/** The names of the function called in the conditions of `all` and `exists`. */
export const NOT_STRICTLY_FALSE = new Set(['@not_strictly_false', '__not_strictly_false__']);

/** The shape of a comprehension; undefined for one to be evaluated as written. */
export function shapeOf(comprehension: Comprehension): Shape {
  const { accumulator, result } = comprehension;
  if (!isName(result, accumulator)) return countOf(comprehension);
  return quantifierOf(comprehension) ?? collectorOf(comprehension);
}

function quantifierOf({ accumulator, initial, condition, step }: Comprehension): Shape {
  if (initial.kind !== 'literal' || initial.constant.type !== 'bool') return undefined;
  const deciding = !initial.constant.value;
  const operand = callOf(condition, NOT_STRICTLY_FALSE)?.arguments[0];
  const tested = deciding ? callOf(operand, new Set(['!_']))?.arguments[0] : operand;
  const combined = callOf(step, new Set([deciding ? '_||_' : '_&&_']));
  const [left, predicate] = combined?.arguments ?? [];
  if (
    !isName(tested, accumulator) ||
    !isName(left, accumulator) ||
    predicate === undefined ||
    countUses(predicate, accumulator) > 0
  )
    return undefined;
  return { kind: 'quantifier', predicate, deciding, conditionCost: deciding ? 3 : 2 };
}

function collectorOf({ accumulator, initial, condition, step }: Comprehension): Shape {
  if (initial.kind !== 'list' || initial.elements.length > 0) return undefined;
  if (condition.kind !== 'literal' || condition.constant.type !== 'bool' || !condition.constant.value)
    return undefined;
  const chosen = callOf(step, new Set(['_?_:_']));
  if (chosen !== undefined && !isName(chosen.arguments[2], accumulator)) return undefined;
  const [accumulated, appended] = callOf(chosen?.arguments[1] ?? step, new Set(['_+_']))?.arguments ?? [];
  if (
    !isName(accumulated, accumulator) ||
    appended?.kind !== 'list' ||
    countUses(step, accumulator) !== (chosen === undefined ? 1 : 2)
  )
    return undefined;
  return { kind: 'collector', predicate: chosen?.arguments[0], appended };
}

/** `exists_one`: the accumulator counts the matching elements, and the result compares it with 1. */
function countOf({ accumulator, initial, condition, step, result }: Comprehension): Shape {
  if (
    !isInt(initial, 0n) ||
    condition.kind !== 'literal' ||
    condition.constant.type !== 'bool' ||
    !condition.constant.value
  )
    return undefined;
  const [predicate, counted, kept] = callOf(step, new Set(['_?_:_']))?.arguments ?? [];
  const [accumulated, one] = callOf(counted, new Set(['_+_']))?.arguments ?? [];
  const [total, only] = callOf(result, new Set(['_==_']))?.arguments ?? [];
  if (
    ![kept, accumulated, total].every((part) => isName(part, accumulator)) ||
    !isInt(one, 1n) ||
    !isInt(only, 1n)
  )
    return undefined;
  return predicate === undefined || countUses(predicate, accumulator) > 0
    ? undefined
    : { kind: 'count', predicate };
}

function callOf(expression: Expression | undefined, names: ReadonlySet<string>): Call | undefined {
  return expression?.kind === 'call' && names.has(expression.function) ? expression : undefined;
}

function isName(expression: Expression | undefined, name: string): boolean {
  return expression?.kind === 'identifier' && expression.name === name;
}

function isInt(expression: Expression | undefined, value: bigint): boolean {
  return (
    expression?.kind === 'literal' &&
    expression.constant.type === 'int' &&
    expression.constant.value === value
  );
}
