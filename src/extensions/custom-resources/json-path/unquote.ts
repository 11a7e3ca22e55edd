import { JsonPathError } from './nodes.ts';

const SIMPLE: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};
const HEXADECIMAL_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const LAST_CODE_POINT = 0x10ffff;

/**
 * Returns the text of a string literal whose escapes are those of Go.
 * @param quoted the literal with its quotes
 * @throws JsonPathError
 */
export function unquote(quoted: string): string {
  const quote = quoted[0]!;
  const inner = quoted.slice(1, -1);
  if (!inner.includes('\\')) return inner;
  const invalid = (): never => {
    throw new JsonPathError(`invalid escape in ${quoted}`);
  };
  let text = '';
  for (let at = 0; at < inner.length; ) {
    const character = inner[at++]!;
    if (character !== '\\') {
      text += character;
      continue;
    }
    const letter = inner[at++] ?? invalid();
    if (letter === quote || Object.hasOwn(SIMPLE, letter)) text += SIMPLE[letter] ?? letter;
    else {
      const octal = letter >= '0' && letter <= '7';
      if (!octal && !Object.hasOwn(HEXADECIMAL_DIGITS, letter)) invalid();
      const from = octal ? at - 1 : at;
      const length = octal ? 3 : HEXADECIMAL_DIGITS[letter]!;
      const digits = inner.slice(from, from + length);
      if (digits.length < length || !(octal ? /^[0-7]+$/ : /^[0-9a-fA-F]+$/).test(digits)) invalid();
      const code = Number.parseInt(digits, octal ? 8 : 16);
      if (code > LAST_CODE_POINT || (octal && code > 255)) invalid();
      text += String.fromCodePoint(code);
      at = from + length;
    }
  }
  return text;
}
