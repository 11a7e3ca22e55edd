/** A JSON object. */
export type JsonObject = Record<string, unknown>;

export const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Sets an own member of any name: `__proto__` becomes data, never the prototype. */
export function setMember(target: object, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
  else (target as JsonObject)[name] = value;
}

/**
 * Returns whether two JSON values are equal. The order of members does not matter; numbers compare by their
 * exact value, whether number or bigint. Not recursive, so that depth uses no stack.
 */
export function equalJson(a: unknown, b: unknown): boolean {
  const rest: unknown[] = [a, b];
  while (rest.length > 0) {
    const right = rest.pop();
    const left = rest.pop();
    if (left === right) continue;
    if (!isContainer(left) || !isContainer(right)) {
      if (!equalNumbers(left, right)) return false;
    } else if (Array.isArray(left) || Array.isArray(right)) {
      if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
      for (let index = 0; index < left.length; index += 1) rest.push(left[index], right[index]);
    } else {
      const names = Object.keys(left);
      if (names.length !== Object.keys(right).length) return false;
      for (const name of names) {
        if (!Object.hasOwn(right, name)) return false;
        rest.push((left as JsonObject)[name], (right as JsonObject)[name]);
      }
    }
  }
  return true;
}

function equalNumbers(a: unknown, b: unknown): boolean {
  // Different types of numbers: only the loose comparison is exact between number and bigint.
  if (typeof a === 'bigint') return typeof b === 'number' && Number.isInteger(b) && BigInt(b) === a;
  return typeof b === 'bigint' && typeof a === 'number' && Number.isInteger(a) && BigInt(a) === b;
}

/** Returns a deep copy of a JSON value; bigint and members named `__proto__` are kept. Not recursive. */
export function copyJson<Value>(value: Value): Value {
  if (!isContainer(value)) return value;
  const root: object = Array.isArray(value) ? [] : {};
  const rest: object[] = [value, root];
  while (rest.length > 0) {
    const copy = rest.pop()!;
    const source = rest.pop()!;
    if (Array.isArray(source)) {
      for (const element of source) (copy as unknown[]).push(begin(element, rest));
    } else {
      for (const name of Object.keys(source))
        setMember(copy, name, begin((source as JsonObject)[name], rest));
    }
  }
  return root as Value;
}

/** Returns a scalar itself, or a new container whose members are still to be copied. */
function begin(value: unknown, rest: object[]): unknown {
  if (!isContainer(value)) return value;
  const copy: object = Array.isArray(value) ? [] : {};
  rest.push(value, copy);
  return copy;
}

/**
 * Returns the size of a JSON value: one for each scalar and container and one for each 256 characters of
 * text. Stops above the limit.
 */
export function sizeOf(value: unknown, limit = Number.POSITIVE_INFINITY): number {
  let size = 0;
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const part = rest.pop();
    size += 1;
    if (typeof part === 'string') size += part.length >> 8;
    else if (Array.isArray(part)) {
      if (size + part.length > limit) return limit + 1;
      for (const element of part) rest.push(element);
    } else if (isContainer(part)) {
      for (const name in part) rest.push((part as JsonObject)[name]);
    }
    if (size + rest.length > limit) return limit + 1;
  }
  return size;
}

/** Formats JSON with sorted members and exact integers beyond 2^53. Not recursive. */
export function jsonText(value: unknown): string {
  const parts: string[] = [];
  const rest: (string | { readonly value: unknown })[] = [{ value }];
  while (rest.length > 0) {
    const part = rest.pop()!;
    if (typeof part === 'string') {
      parts.push(part);
      continue;
    }
    const inner = part.value;
    if (Array.isArray(inner)) {
      rest.push(']');
      for (let index = inner.length - 1; index >= 0; index -= 1) {
        rest.push({ value: inner[index] });
        if (index > 0) rest.push(',');
      }
      rest.push('[');
    } else if (isContainer(inner)) {
      rest.push('}');
      const names = Object.keys(inner).sort();
      for (let index = names.length - 1; index >= 0; index -= 1) {
        rest.push({ value: (inner as JsonObject)[names[index]!] });
        rest.push(`${index > 0 ? ',' : ''}${JSON.stringify(names[index])}:`);
      }
      rest.push('{');
    } else parts.push(typeof inner === 'bigint' ? String(inner) : (JSON.stringify(inner) ?? 'null'));
  }
  return parts.join('');
}
