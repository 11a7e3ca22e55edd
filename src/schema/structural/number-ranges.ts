import { isInt64 } from './go-text.ts';
import type { ValueSchema } from './value-schema.ts';

/** The numbers of a type and format. */
export interface NumberRange {
  has(value: number | bigint): boolean;
  /** The type, as errors name it. */
  readonly text: string;
}

const MAXIMUM_INT32 = 2 ** 31 - 1;
const MINIMUM_INT32 = -(2 ** 31);

const isWhole = (value: number | bigint): boolean => typeof value === 'bigint' || Number.isInteger(value);
const isInt32 = (value: number | bigint): boolean =>
  isWhole(value) && value >= MINIMUM_INT32 && value <= MAXIMUM_INT32;
const isLong = (value: number | bigint): boolean => isWhole(value) && isInt64(BigInt(value));
/** Returns whether a number is finite as one of 32 bits. */
const isSingle = (value: number | bigint): boolean => Number.isFinite(Math.fround(Number(value)));

/** Returns the range of the numbers of a schema. */
export function rangeOf({ type, format }: ValueSchema): NumberRange {
  const text =
    format === undefined ? `of type ${type} (default format)` : `of type ${type} with format ${format}`;
  if (type === 'integer') return { has: format === 'int32' ? isInt32 : isLong, text };
  return { has: format === 'float' ? isSingle : () => true, text };
}
