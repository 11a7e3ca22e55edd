import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecodeError } from '../../src/codec/decode-error.ts';
import { parseJson, parseStoredJson } from '../../src/codec/json-parse.ts';
import { literalsOf } from '../../src/codec/number-literals.ts';

const parse = (text: string) => parseJson(Buffer.from(text));
const deep = (open: string, count: number, close: string) =>
  Buffer.from(open.repeat(count) + close.repeat(count));

/** The result of JSON.parse, with exact integers where JavaScript prints them without exponent. */
function exact(value: unknown): unknown {
  if (typeof value !== 'number' || !Number.isInteger(value) || Math.abs(value) >= 1e21) return value;
  return Number.isSafeInteger(value) ? value + 0 : BigInt(String(value));
}

describe('parseJson', () => {
  it.each([
    ['', 'unexpected end of JSON input'],
    ['{"metadata":{"name":', 'unexpected end of JSON input'],
    ['"abc', 'unexpected end of JSON input'],
    ['<xml/>', "invalid character '<' looking for beginning of value"],
    ['metadata:\n', "invalid character 'm' looking for beginning of value"],
    ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
    ['{"a":1} trailing', "invalid character 't' after top-level value"],
    ['{"a":1}{"b":2}', "invalid character '{' after top-level value"],
    ['{/* c */"a":1}', "invalid character '/' looking for beginning of object key string"],
    ["{'m':1}", "invalid character '\\'' looking for beginning of object key string"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['[1 2]', "invalid character '2' after array element"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":05}', "invalid character '5' after object key:value pair"],
    ['trux', "invalid character 'x' in literal true (expecting 'e')"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
    ['-x', "invalid character 'x' in numeric literal"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['1e+x', "invalid character 'x' in exponent of numeric literal"],
    ['1e400', 'json: cannot unmarshal number 1e400 into Go value of type float64'],
  ])('refuses %j as Go does', (text, message) => {
    expect(() => parse(text)).toThrow(new DecodeError(message));
  });

  it('keeps integers exact', () => {
    expect(
      parse('[9007199254740993,-9223372036854775808,99999999999999999999,9007199254740991,-0]').value,
    ).toEqual([9007199254740993n, -9223372036854775808n, 99999999999999999999n, 9007199254740991, 0]);
  });

  it('records whole numbers written as fractions or powers', () => {
    const { value } = parse('{"a":[5.0,1.5],"b":1e3,"b":2}');
    expect(value).toEqual({ a: [5, 1.5], b: 2 });
    const literals = literalsOf(value)!;
    expect(literals.get((value as { a: object }).a)).toEqual(new Map([['0', '5.0']]));
    expect(literals.get(value as object)?.get('b')).toBeUndefined();
    expect(literalsOf(parse('{"a":1.5}').value)).toBeUndefined();
  });

  it('lists duplicate members once, with their paths, and uses the last', () => {
    const { value, duplicates } = parse(
      '{"a":[{"b":1,"b":2,"b":3}],"m":{"x.y/z":1,"x.y/z":2},"a":[{"c":1},{"d":1,"d":2}]}',
    );
    expect(value).toEqual({ a: [{ c: 1 }, { d: 2 }], m: { 'x.y/z': 2 } });
    expect(duplicates).toEqual(['a[0].b', 'm.x.y/z', 'a', 'a[1].d']);
  });

  it('keeps __proto__ as data on both paths', () => {
    for (const text of ['{"__proto__":{"x":1}}', '{"__proto__":{"x":1},"a":5.0}']) {
      const value = parse(text).value as object;
      expect(Object.hasOwn(value, '__proto__')).toBe(true);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    }
    expect(parse('{"__proto__":1,"__proto__":2}').duplicates).toEqual(['__proto__']);
  });

  it('replaces each invalid UTF-8 byte and each lone surrogate', () => {
    const broken = Buffer.concat([
      Buffer.from('{"a":"ü'),
      Buffer.from([0xff, 0xfe, 0xe2, 0x82]),
      Buffer.from('y"}'),
    ]);
    expect(parseJson(broken).value).toEqual({ a: 'ü\ufffd\ufffd\ufffd\ufffdy' });
    expect(parse('["x\\ud800y","\\ud83d\\ude00","\\udc00","\\ud800\\ud83d\\ude00"]').value).toEqual([
      'x\ufffdy',
      '😀',
      '\ufffd',
      '\ufffd😀',
    ]);
  });

  it('accepts 10,000 levels and refuses more before building values', () => {
    expect(parseJson(deep('[', 10_000, ']')).value).toHaveLength(1);
    expect(() => parseJson(deep('[', 10_001, ']'))).toThrow("invalid character '[' exceeded max depth");
    expect(() => parseJson(Buffer.alloc(2_800_000, '{"a":'))).toThrow(
      "invalid character '{' exceeded max depth",
    );
  });

  it('agrees with JSON.parse on valid documents', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.boolean(), (text, spaced) => {
        const written = spaced ? JSON.stringify(JSON.parse(text), null, 3) : text;
        expect(parse(written)).toEqual({
          value: JSON.parse(written, (_key, value) => exact(value)),
          duplicates: [],
        });
      }),
    );
  });

  it('throws only DecodeError for any bytes', () => {
    const pieces = fc.array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '\\',
        'u',
        'd83d',
        '1',
        '-',
        '.',
        'e',
        'true',
        'null',
        ' ',
        'a',
        '\u00ff',
      ),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          pieces.map((parts) => Buffer.from(parts.join(''), 'latin1')),
        ),
        (bytes) => {
          try {
            parseJson(bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(DecodeError);
            expect(() => JSON.parse(Buffer.from(bytes).toString('latin1'))).toThrow();
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('stored JSON', () => {
  it.each([
    '{"a":[1,"x",null,{"b":true}]}',
    '{"n":9007199254740993}',
    '{"text":"ü\u2028"}',
    '[]',
    '{"f":2.0}',
  ])('is parsed like other JSON: %s', (text) => {
    const bytes = Buffer.from(text);
    expect(parseStoredJson(bytes)).toEqual(parseJson(bytes).value);
  });

  it('is refused if it is malformed', () => {
    expect(() => parseStoredJson(Buffer.from('{"a":'))).toThrow('unexpected end of JSON input');
  });
});
