import { RawJson } from '../model/object.ts';

type Members = Record<string, unknown>;

/** Deep equality; members that are undefined are absent. */
export function equalValues(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof RawJson || b instanceof RawJson) {
    if (a instanceof RawJson && b instanceof RawJson && a.text === b.text) return true;
    return equalValues(a instanceof RawJson ? a.parse() : a, b instanceof RawJson ? b.parse() : b);
  }
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let index = 0; index < a.length; index += 1) if (!equalValues(a[index], b[index])) return false;
    return true;
  }
  if (Array.isArray(b)) return false;
  for (const name in a)
    if (!equalValues((a as Members)[name], Object.hasOwn(b, name) ? (b as Members)[name] : undefined))
      return false;
  for (const name in b) if ((b as Members)[name] !== undefined && !Object.hasOwn(a, name)) return false;
  return true;
}
