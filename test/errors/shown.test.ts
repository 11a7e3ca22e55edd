import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quote, quoteBytes } from '../../src/errors/quote.ts';
import { joinShown, jsonShown, SHOWN_CHARACTERS, shortened } from '../../src/errors/shown.ts';

const long = 'x'.repeat(3_000_000);

describe('values in errors', () => {
  it('cuts and marks long texts', () => {
    expect(shortened(long)).toBe(`${'x'.repeat(SHOWN_CHARACTERS)}…`);
    expect(shortened('x'.repeat(SHOWN_CHARACTERS))).toBe('x'.repeat(SHOWN_CHARACTERS));
    expect(shortened('a😀b', 2)).toBe('a…');
    expect(shortened('a😀b', 3)).toBe('a😀…');
  });

  it('quotes the beginning of a long text', () => {
    expect(quote('"'.repeat(3_000_000))).toBe(`"${'\\"'.repeat(SHOWN_CHARACTERS)}…"`);
    expect(quote('"'.repeat(3_000_000), Number.POSITIVE_INFINITY)).toHaveLength(6_000_002);
    expect(quoteBytes(long)).toHaveLength(SHOWN_CHARACTERS + 2 + '\\xe2\\x80\\xa6'.length);
  });

  it('reads no more of a list than it shows', () => {
    let read = 0;
    const joined = joinShown(Array.from({ length: 90_000 }), ', ', () => {
      read += 1;
      return 'abc';
    });
    expect(shortened(joined)).toHaveLength(SHOWN_CHARACTERS + 1);
    expect(read).toBeLessThan(SHOWN_CHARACTERS);
    expect(joinShown(['a', 'b'], ', ', quote)).toBe('"a", "b"');
    expect(joinShown(['', ''], ',', String)).toBe(',');
  });

  it('formats a value as JSON does, of a long value the beginning', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        expect(jsonShown(value)).toBe(shortened(JSON.stringify(value)));
      }),
    );
    for (const value of [
      Array.from({ length: 90_000 }, (_, index) => index),
      Object.fromEntries(Array.from({ length: 45_000 }, (_, index) => [`k${index}`, { a: ['b'] }])),
      { a: long, b: long },
      JSON.parse('{"__proto__":{"a":1}}') as object,
    ])
      expect(jsonShown(value)).toBe(shortened(JSON.stringify(value)));
    expect(jsonShown({ a: 2n ** 40n })).toBe('{"a":1099511627776}');
  });

  it('does not follow a value to any depth', () => {
    let value: unknown = 1;
    for (let depth = 0; depth < 100_000; depth += 1) value = [value];
    expect(jsonShown(value)).toContain('…');
  });
});
