import { RawJson } from '../../model/object.ts';

/** Nothing said: absent, null, and empty lists and maps compare equal, as they do for the reference. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return Array.isArray(value) && value.length === 0;
}

/**
 * Whether two values mean the same: members in any order, absent members and empty lists alike. `bigint` and number of the same value are equal.
 */
export function semanticEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isEmpty(a) || isEmpty(b)) return isEmpty(a) && isEmpty(b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return (typeof a === 'bigint' || typeof b === 'bigint') && typeof a !== 'object' && typeof b !== 'object' && String(a) === String(b);
  }
  if (a instanceof RawJson || b instanceof RawJson) return a instanceof RawJson && b instanceof RawJson && a.text === b.text;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((element, index) => semanticEqual(element, b[index]));
  }
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  for (const key of Object.keys(left)) if (!semanticEqual(left[key], Object.hasOwn(right, key) ? right[key] : undefined)) return false;
  for (const key of Object.keys(right)) if (!Object.hasOwn(left, key) && !isEmpty(right[key])) return false;
  return true;
}
