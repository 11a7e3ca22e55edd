/** Values of clients in errors. They may be as long as a body; errors show their beginning. */

/** Maximum characters of a value in an error. */
export const SHOWN_CHARACTERS = 16 * 1024;

/** Cuts a value that is shown in an error, not within a character; `…` marks the place. */
export function shortened(text: string, limit = SHOWN_CHARACTERS): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit)}…`;
}

/** Joins the texts of a list that is shown in an error. It stops soon after the maximum of an error. */
export function joinShown<Item>(
  items: Iterable<Item>,
  separator: string,
  textOf: (item: Item) => string,
): string {
  let joined = '';
  let isFirst = true;
  for (const item of items) {
    if (joined.length > SHOWN_CHARACTERS) break;
    joined += isFirst ? textOf(item) : separator + textOf(item);
    isFirst = false;
  }
  return joined;
}

/** Formats a value as JSON, with long integers as numbers; only the beginning that errors show. */
export function jsonShown(value: unknown): string {
  return shortened(JSON.stringify(beginningOf(value, { left: SHOWN_CHARACTERS }, 0)) ?? '');
}

/** Deeper values are not shown. */
const SHOWN_DEPTH = 500;

/** A copy of the beginning of a value: its JSON is longer than `left` characters if that of the value is. */
function beginningOf(value: unknown, budget: { left: number }, depth: number): unknown {
  if (depth > SHOWN_DEPTH) return '…';
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'string') {
    budget.left -= value.length;
    return value.length > SHOWN_CHARACTERS ? value.slice(0, SHOWN_CHARACTERS + 1) : value;
  }
  if (Array.isArray(value)) {
    const copy: unknown[] = [];
    for (const item of value) {
      if (budget.left < 0) break;
      budget.left -= 1;
      copy.push(beginningOf(item, budget, depth + 1));
    }
    return copy;
  }
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  const copy = {};
  for (const name in value) {
    if (budget.left < 0) break;
    budget.left -= name.length + 3;
    Object.defineProperty(copy, name, {
      value: beginningOf((value as Record<string, unknown>)[name], budget, depth + 1),
      enumerable: true,
    });
  }
  return copy;
}
