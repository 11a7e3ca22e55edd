/** The largest cost and size: all arithmetic stops there. */
export const MAX = 2n ** 64n - 1n;

/** A size or cost, known as a range. */
export interface Range {
  readonly min: bigint;
  readonly max: bigint;
}

export const exactly = (value: bigint | number): Range => ({ min: BigInt(value), max: BigInt(value) });

export const NOTHING = exactly(0);
export const ONE = exactly(1);
export const UNKNOWN: Range = { min: 0n, max: MAX };

const saturate = (value: bigint): bigint => (value > MAX ? MAX : value);

export const add = (a: Range, b: Range): Range => ({
  min: saturate(a.min + b.min),
  max: saturate(a.max + b.max),
});

export const sum = (...ranges: readonly Range[]): Range => ranges.reduce(add, NOTHING);

export const multiply = (a: Range, b: Range): Range => ({
  min: saturate(a.min * b.min),
  max: saturate(a.max * b.max),
});

/** The smaller of two bounds. */
export function smaller(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}

/** The smallest range that contains both. */
export const union = (a: Range, b: Range): Range => ({
  min: smaller(a.min, b.min),
  max: smaller(a.max, b.max) === a.max ? b.max : a.max,
});

/**
 * A bound times a factor, rounded up. Uses floating point like the reference, which makes large numbers
 * inexact.
 */
function scaleBound(bound: bigint, factor: number): bigint {
  const scaled = Math.ceil(Number(bound) * factor);
  return scaled >= 2 ** 64 ? MAX : BigInt(scaled);
}

export const scale = ({ min, max }: Range, factor: number): Range => ({
  min: scaleBound(min, factor),
  max: scaleBound(max, factor),
});
