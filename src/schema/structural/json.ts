/**
 * Formats JSON with sorted members and exact integers beyond 2^53.
 * @param byValue formats numbers of the same value identically
 */
export function jsonText(value: unknown, byValue = false): string {
  if (typeof value === 'bigint') return byValue ? String(Number(value)) : String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map((element) => jsonText(element, byValue)).join(',')}]`;
  const members = value as Record<string, unknown>;
  const texts = Object.keys(members)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${jsonText(members[name], byValue)}`);
  return `{${texts.join(',')}}`;
}

/** Returns whether two JSON values are equal; numbers compare by value. */
export const equalJson = (a: unknown, b: unknown): boolean =>
  a === b || jsonText(a, true) === jsonText(b, true);
