import { expect, it } from 'vitest';
import { quote, quoteBytes } from '../../src/errors/quote.ts';

it.each([
  ['plain é ☃ 日 🙂', '"plain é ☃ 日 🙂"'],
  ['a"b\\c\n\t\u0007\v', '"a\\"b\\\\c\\n\\t\\a\\v"'],
  ['\u0000\u001b\u007f', '"\\x00\\x1b\\x7f"'],
  ['\u0085\u00a0\u200b\u2028\ufeff\ufffd', '"\\u0085\\u00a0\\u200b\\u2028\\ufeff\ufffd"'],
  ['\u{e0001}\ud800', '"\\U000e0001\ufffd"'],
  ['__proto__', '"__proto__"'],
])('quotes %j like Go', (text, quoted) => expect(quote(text)).toBe(quoted));

it('quotes texts of times as bytes', () => {
  expect(quoteBytes('1é\n"\\\u007f')).toBe('"1\\xc3\\xa9\\x0a\\"\\\\\u007f"');
});
