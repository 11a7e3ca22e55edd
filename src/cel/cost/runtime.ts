import type { CallCost } from '../libraries/function.ts';
import { sizeOf } from '../values/size.ts';
import { utf8Length } from '../values/text.ts';
import type { Value } from '../values/value.ts';

/** The cost per code point, byte or element traversed. */
export const TRAVERSAL_FACTOR = 0.1;
/** The cost per code point of a pattern, for each code point matched against it. */
export const PATTERN_FACTOR = 0.25;

/** The cost of traversing a size once. */
export function traversal(size: number): number {
  return Math.ceil(size * TRAVERSAL_FACTOR);
}

/** ⌈size of the first argument × 0.1⌉. */
export const firstOnce: CallCost = (_frame, first) => traversal(sizeOf(first));
/** ⌈size of the first argument × 0.2⌉: read once, written once. */
export const firstTwice: CallCost = (_frame, first) => Math.ceil(sizeOf(first) * 2 * TRAVERSAL_FACTOR);
/** ⌈size of the result × 0.2⌉. */
export const resultTwice: CallCost = (_frame, _first, _second, result) =>
  Math.ceil(sizeOf(result) * 2 * TRAVERSAL_FACTOR);
/** ⌈(sum of both sizes) × 0.1⌉. */
export const bothOnce: CallCost = (_frame, first, second) => traversal(sizeOf(first) + sizeOf(second));
/** ⌈size × 0.1⌉ of each, multiplied. */
export const product: CallCost = (_frame, first, second) =>
  traversal(sizeOf(first)) * traversal(sizeOf(second));
/** The cost of matching a pattern (the second argument). */
export const matching: CallCost = (_frame, first, second) => patternCost(sizeOf(first), sizeOf(second));

/** The cost of matching a text of a size with a pattern of a length. */
export function patternCost(size: number, patternLength: number): number {
  return traversal(1 + size) * Math.ceil(patternLength * PATTERN_FACTOR);
}

/** The cost of traversing the whole first argument. */
export const traverseFirst: CallCost = (frame, first) => traversalOf(first, (steps) => frame.work(steps));

/**
 * The cost of traversing a value: 1 per scalar, a tenth per byte of texts and byte strings. `visited` counts
 * values without a cost (empty texts).
 */
function traversalOf(value: Value, visited: (steps: number) => void): number {
  visited(1);
  if (typeof value === 'string') return Math.floor(utf8Length(value) * TRAVERSAL_FACTOR);
  if (value === null || typeof value !== 'object') return 1;
  if (value.kind === 'bytes') return Math.floor(value.data.length * TRAVERSAL_FACTOR);
  if (value.kind === 'list') {
    let cost = 0;
    for (let index = 0; index < value.size; index++) cost += traversalOf(value.get(index), visited);
    return cost;
  }
  if (value.kind !== 'map') return 1;
  let cost = 0;
  for (const key of value.keys())
    cost += traversalOf(key, visited) + traversalOf(value.find(key) ?? null, visited);
  return cost;
}
