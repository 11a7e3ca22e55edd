import { codePointCount } from './text.ts';
import type { Value } from './value.ts';

/** The size that costs are based on: code points, bytes, elements or entries; 1 for values without a size. */
export function sizeOf(value: Value): number {
  if (typeof value === 'string') return codePointCount(value);
  if (typeof value !== 'object' || value === null) return 1;
  if (value.kind === 'list' || value.kind === 'map') return value.size;
  return value.kind === 'bytes' ? value.data.length : 1;
}

/** `size(x)`; undefined for values without a size. */
export function sizeIfAny(value: Value): number | undefined {
  if (typeof value === 'string') return codePointCount(value);
  if (typeof value !== 'object' || value === null) return undefined;
  return value.kind === 'list' || value.kind === 'map' || value.kind === 'bytes' ? sizeOf(value) : undefined;
}
