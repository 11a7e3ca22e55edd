/** Plain trees as patches see them: what a JSON parser gives. */
export type Members = Record<string, unknown>;

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A copy of the container itself; its members are shared. `__proto__` stays an ordinary member. */
export function shallowCopy(members: Members): Members {
  return { ...members };
}

/** The word Go's JSON decoder uses for a value of this type. */
export function jsonTypeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

/** A value as Go's `%v` prints it: `map[a:1 b:[x y]]`. Error texts on the wire show patches that way. */
export function formatGoValue(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(formatGoValue).join(' ')}]`;
  if (isMembers(value))
    return `map[${Object.keys(value)
      .sort()
      .map((key) => `${key}:${formatGoValue(value[key])}`)
      .join(' ')}]`;
  return String(value);
}

/** Deep equality of plain trees; the order of members does not count. */
export function equalTrees(left: unknown, right: unknown): boolean {
  const pending: [unknown, unknown][] = [[left, right]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    if (Array.isArray(a) && Array.isArray(b)) {
      if (a.length !== b.length) return false;
      for (let index = 0; index < a.length; index += 1) pending.push([a[index], b[index]]);
    } else if (isMembers(a) && isMembers(b)) {
      const keys = Object.keys(a);
      if (keys.length !== Object.keys(b).length) return false;
      for (const key of keys) {
        if (!Object.hasOwn(b, key)) return false;
        pending.push([a[key], b[key]]);
      }
    } else return false;
  }
  return true;
}
