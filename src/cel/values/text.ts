/** From this length on, first checking whether a text has surrogates is faster. */
const LONG_TEXT = 32;
const HIGH_SURROGATE = /[\ud800-\udbff]/;

/** The number of code points of a text. */
export function codePointCount(text: string): number {
  if (text.length >= LONG_TEXT && !HIGH_SURROGATE.test(text)) return text.length;
  let count = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(index + 1);
    if (next >= 0xdc00 && next <= 0xdfff) {
      count--;
      index++;
    }
  }
  return count;
}

/** The order of two texts by code points: negative, zero or positive. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  let index = 0;
  while (index < length && left.charCodeAt(index) === right.charCodeAt(index)) index++;
  if (index === length) return left.length - right.length;
  const [a, b] = [left.charCodeAt(index), right.charCodeAt(index)];
  // A surrogate represents a code point above every other unit.
  const [highA, highB] = [isSurrogate(a), isSurrogate(b)];
  return highA === highB ? a - b : highA ? 1 : -1;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** The code points of a text as strings; texts without surrogates are split by unit. */
export function codePoints(text: string): string[] {
  return Array.from(text);
}

/** The number of bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}
