import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonExactly as parseJsonExactlyInSteps } from '../../src/codec/json-exact.ts';
import { decodeUtf8 } from '../../src/codec/utf8.ts';
import { atOnce } from '../support/at-once.ts';

const parseJsonExactly = atOnce(parseJsonExactlyInSteps);

function merged(text: string): { value: unknown; steps: number } {
  const parser = parseJsonExactlyInSteps(Buffer.from(text), { merges: true });
  for (let steps = 1; ; steps++) {
    const step = parser.next();
    if (step.done === true) return { value: step.value.value, steps };
  }
}

describe('parseJsonExactly with merged duplicates', () => {
  it.each([
    ['{"a":{"b":1},"a":{"c":2}}', { a: { b: 1, c: 2 } }],
    ['{"a":{"b":{"x":1}},"a":{"b":{"y":2},"b":{"z":3}}}', { a: { b: { x: 1, y: 2, z: 3 } } }],
    ['{"a":{"b":1},"a":{}}', { a: { b: 1 } }],
    ['{"a":{"b":1},"a":null}', { a: null }],
    ['{"a":{"b":1},"a":2}', { a: 2 }],
    ['{"a":2,"a":{"b":1}}', { a: { b: 1 } }],
    ['{"a":[{"b":1}],"a":[{"c":2}]}', { a: [{ c: 2 }] }],
    ['[{"b":1},{"c":2}]', [{ b: 1 }, { c: 2 }]],
    ['{"constructor":{"b":1}}', { constructor: { b: 1 } }],
  ])('adds the members of duplicate objects: %s', (text, value) => {
    expect(merged(text).value).toEqual(value);
  });

  it('keeps `__proto__` as data', () => {
    const { value } = merged('{"__proto__":{"b":1},"__proto__":{"c":2}}');
    expect(Object.entries(value as object)).toEqual([['__proto__', { b: 1, c: 2 }]]);
  });

  it('adds deeply nested duplicates', () => {
    const depth = 9990;
    const nested = (name: string) => `${'{"a":'.repeat(depth)}{"${name}":1}${'}'.repeat(depth)}`;
    let { value } = merged(`{"m":${nested('b')},"m":${nested('c')}}`) as {
      value: { m?: object; a?: object };
    };
    value = value.m!;
    while (value.a !== undefined) value = value.a;
    expect(value).toEqual({ b: 1, c: 1 });
  });

  it('pauses in long documents', () => {
    expect(merged(`{"a":{},"a":[${'1,'.repeat(50_000)}1]}`).steps).toBeGreaterThan(5);
  });

  it('pauses between long values', () => {
    expect(
      merged(
        `[${Array(5)
          .fill(`"${'x'.repeat(600_000)}"`)
          .join()}]`,
      ).steps,
    ).toBe(5);
  });
});

describe('escapes in strings', () => {
  const escaped = (character: string): string =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join('');
  const piece = fc.oneof(
    fc.constantFrom('\\n', '\\\\', '\\"', '\\/', '\\t', '\\ud83d', '\\ude00'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }).map(escaped),
    fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => JSON.stringify(text).slice(1, -1)),
  );

  it('are decoded as by JSON.parse, lone surrogates apart', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const json = `"${pieces.join('')}"`;
        expect(parseJsonExactly(Buffer.from(json)).value).toBe(
          Buffer.from(JSON.parse(json) as string).toString(),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('are errors where they are not complete', () => {
    for (const end of ['\\', '\\u', '\\u00', '\\ud83d\\', '\\ud83d\\u0'])
      expect(() => parseJsonExactly(Buffer.from(`"\\n${end}`))).toThrow('unexpected end of JSON input');
    expect(() => parseJsonExactly(Buffer.from('"\\x"'))).toThrow(
      "invalid character 'x' in string escape code",
    );
    expect(() => parseJsonExactly(Buffer.from('"\\n\n"'))).toThrow(
      "invalid character '\\n' in string literal",
    );
  });
});

describe('decodeUtf8', () => {
  it.each([
    ['61 ff 62', 'a\ufffdb'],
    ['e2 82', '\ufffd\ufffd'],
    ['f0 9f 98', '\ufffd\ufffd\ufffd'],
    ['f0 9f 98 80 ff', '\u{1f600}\ufffd'],
    ['e2 82 ac c3 a9 80', '\u20ac\u00e9\ufffd'],
    ['c0 80 ed a0 80 f4 90 80 80', '\ufffd'.repeat(9)],
    ['e0 9f bf f0 8f bf bf', '\ufffd'.repeat(7)],
  ])('replaces each byte of a broken sequence: %s', (bytes, text) => {
    const buffer = Buffer.from(bytes.replaceAll(' ', ''), 'hex');
    expect(decodeUtf8(buffer, 0, buffer.length)).toBe(text);
  });
});
