import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecodeError } from '../../src/codec/decode-error.ts';
import { parseYaml, writeYaml, yamlParts } from '../../src/codec/yaml.ts';

const parse = (text: string) => parseYaml(Buffer.from(text));
const value = (text: string) => parse(text).value;

describe('parseYaml', () => {
  it('resolves scalars as YAML 1.1', () => {
    expect(value('[yes, On, y, n, off, NO, ~, null, True, "yes", !!str 12]')).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      null,
      null,
      true,
      'yes',
      '12',
    ]);
    expect(
      value('[12, 012, 0x1f, 0b11, 0o17, 1_000, +5, -0, 9223372036854775807, 18446744073709551616, 08]'),
    ).toEqual([12, 10, 31, 3, 15, 1000, 5, 0, 9223372036854775807n, 2 ** 64, 8]);
    expect(
      value('[1e3, .5, 1., 1:20, 1.2.3, 2020-01-02, 2020-01-02T03:04:05Z, !foo bar, !!binary AAEC]'),
    ).toEqual([
      1000,
      0.5,
      1,
      '1:20',
      '1.2.3',
      '2020-01-02',
      '2020-01-02T03:04:05Z',
      'bar',
      '\u0000\u0001\u0002',
    ]);
  });

  it('decodes binary scalars over several lines', () => {
    expect(value('[!!binary "", !!binary YWI=]')).toEqual(['', 'ab']);
    expect(value('a: !!binary |\n  YWFh\n  YmJi\n')).toEqual({ a: 'aaabbb' });
  });

  it('sorts keys and converts them to strings; the last duplicate is used and reported by line', () => {
    const { value, duplicates } = parse(
      'true: a\n1: b\nspec:\n  replicas: 1\n  replicas: 2\n  list:\n  - {x: 1, x: 2}\n1: c\n__proto__: d\n',
    );
    expect(JSON.stringify(value)).toBe(
      '{"1":"c","__proto__":"d","spec":{"list":[{"x":2}],"replicas":2},"true":"a"}',
    );
    expect(duplicates).toEqual([
      'line 5: key "replicas" already set in map',
      'line 7: key "x" already set in map',
      'line 8: key 1 already set in map',
    ]);
  });

  it.each([
    ['a: 1\na:\n  b: 1\n', 3],
    ['a: 1\na:\n\n- 1\n', 4],
    ['a: 1\na:\n  text\n', 3],
    ['a: 1\na: |\n  text\n', 2],
    ['a: 1\na:\n', 2],
    ['a: 1\na: {\n b: 1}\n', 2],
    ['a: 1\na: &x\n  b: 1\n', 2],
    ['a: &x 1\na: *x\n', 2],
  ])('names the line where the value of a repeated key begins: %j', (text, line) => {
    expect(parse(text).duplicates).toEqual([`line ${line}: key "a" already set in map`]);
  });

  it('parses only the first document, and an empty text as null', () => {
    expect(value('---\na: b\n---\nc: d\n')).toEqual({ a: 'b' });
    expect(value('# nothing\n')).toBeNull();
    expect(value('\ufeffa: b')).toEqual({ a: 'b' });
  });

  it('follows anchors and merge keys', () => {
    expect(value('l: &l\n  x: z\na: *l\nb:\n  <<: *l\n  w: v\nc:\n  <<: [{p: 1}, {p: 2, q: 3}]\n')).toEqual({
      l: { x: 'z' },
      a: { x: 'z' },
      b: { x: 'z', w: 'v' },
      c: { p: 1, q: 3 },
    });
  });

  it('parses JSON as JSON, unless its meaning in YAML could differ', () => {
    expect(JSON.stringify(value('{"b":"yes","a":[1,{"d":1,"c":2}]}'))).toBe(
      '{"a":[1,{"c":2,"d":1}],"b":"yes"}',
    );
    expect(parse('{"a":1,\n"a":2}').duplicates).toEqual(['line 2: key "a" already set in map']);
    expect(value('{"a":5.0}')).toEqual({ a: 5 });
    expect(value('{a: yes}')).toEqual({ a: true });
  });

  it.each([
    ['a: [b\n', /^yaml: line \d+: /],
    ['metadata:\n\tname: j\n', /^yaml: line 2: /],
    ['a: *x', "yaml: unknown anchor 'x' referenced"],
    ['a: &a [*a]', "yaml: anchor 'a' value contains itself"],
    ['? [a]\n: b', /map key/],
    ['a: .inf', 'json: unsupported value: +Inf'],
    ["a: !!binary '###'", 'yaml: !!binary value contains invalid base64 data'],
    ['a: !!binary AAE', 'yaml: !!binary value contains invalid base64 data'],
    ['a: !!binary AA EC', 'yaml: !!binary value contains invalid base64 data'],
    ['a: !!int x', 'yaml: cannot decode !!str `x` as a !!int'],
    ['<<: 5', 'yaml: map merge requires map or sequence of maps as the value'],
  ])('refuses %j', (text, message) => {
    expect(() => parse(text)).toThrow(DecodeError);
    expect(() => parse(text)).toThrow(message);
  });

  it('refuses alias bombs and endless nesting', () => {
    const level = (index: number) =>
      `a${index}: &a${index} [${Array(9)
        .fill(index === 0 ? 'x' : `*a${index - 1}`)
        .join(',')}]\n`;
    expect(() => parse(Array.from({ length: 12 }, (_, index) => level(index)).join(''))).toThrow(
      'yaml: document contains excessive aliasing',
    );
    const long = `a: &a ${'x'.repeat(10_000)}\nb: [${Array(400).fill('*a').join(',')}]\n`;
    expect(() => parse(long)).toThrow('yaml: document contains excessive aliasing');
    expect(() => parse('['.repeat(1_000_000))).toThrow(DecodeError);
    expect(() => parse('- '.repeat(500_000))).toThrow(DecodeError);
  });

  it('throws only DecodeError', () => {
    const pieces = fc.array(
      fc.constantFrom(
        'a',
        ': ',
        '- ',
        '\n',
        '  ',
        '&a ',
        '*a',
        '{',
        '}',
        '[',
        ']',
        ',',
        '"',
        "'",
        '|',
        '>',
        '!',
        '#',
        '<<: ',
        '? ',
        '---\n',
        '\t',
        '%',
      ),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          pieces.map((parts) => Buffer.from(parts.join(''))),
        ),
        (bytes) => {
          try {
            parseYaml(bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(DecodeError);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('writeYaml', () => {
  it('prints the same as kube-apiserver', () => {
    const annotations = {
      at: '@x',
      bool: 'true',
      brace: '{}',
      colon: 'a: b',
      dash: '- x',
      date: '2020-01-01',
      empty: '',
      float: '1e3',
      hash: '# x',
      lines: 'one\ntwo\n',
      long: 'word '.repeat(40).trim(),
      null: 'null',
      number: '1',
      octal: '010',
      percent: '%x',
      pipe: '|',
      quote: '"\'',
      star: '*x',
      tab: 'a\tb',
      tilde: '~',
      trailing: 'x ',
      unicode: 'ünï 😀',
      yes: 'yes',
    };
    expect(
      writeYaml({ metadata: { annotations, list: [{ b: 1, a: { c: {} } }, [], ['x', [2]]] } }),
    ).toBe(`metadata:
  annotations:
    at: '@x'
    bool: "true"
    brace: '{}'
    colon: 'a: b'
    dash: '- x'
    date: "2020-01-01"
    empty: ""
    float: "1e3"
    hash: '# x'
    lines: |
      one
      two
    long: word word word word word word word word word word word word word word word
      word word word word word word word word word word word word word word word word
      word word word word word word word word word
    "null": "null"
    number: "1"
    octal: "010"
    percent: '%x'
    pipe: '|'
    quote: '"'''
    star: '*x'
    tab: "a\\tb"
    tilde: "~"
    trailing: 'x '
    unicode: "ünï \\U0001F600"
    "yes": "yes"
  list:
  - a:
      c: {}
    b: 1
  - []
  - - x
    - - 2
`);
  });

  it('prints block scalars with chomping indicators, escapes unprintable characters, and prints long keys', () => {
    expect(
      writeYaml({ a: 'x\ny', b: 'x\n\n', c: ' x\n', d: 'x \ny', e: '\x7f\u2028', ['k'.repeat(129)]: [1] }),
    ).toBe(
      `a: |-\n  x\n  y\nb: |+\n  x\n\nc: |2\n   x\nd: "x \\ny"\ne: "\\x7F\\L"\n? ${'k'.repeat(129)}\n: - 1\n`,
    );
    expect(writeYaml({})).toBe('{}\n');
    expect(writeYaml([1.5, 1234567.5, 1e21, 9223372036854775807n, null, true])).toBe(
      '- 1.5\n- 1.2345675e+06\n- 1e+21\n- 9223372036854775807\n- null\n- true\n',
    );
    expect(writeYaml({ a10: 1, a9: 2, 'a-b': 3, A: 4, 'a.b': 5, 10: 6, 9: 7 })).toBe(
      '"9": 7\n"10": 6\nA: 4\na-b: 3\na.b: 5\na9: 2\na10: 1\n',
    );
  });

  it('round-trips', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 150 }),
      fc
        .array(
          fc.constantFrom('a', ' ', '\n', ':', '-', '#', "'", '"', 'word', '\t', '?', ',', '|', '0', '.'),
          { maxLength: 60 },
        )
        .map((parts) => parts.join('')),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('tree')),
        fc.dictionary(text, tie('tree')),
      ),
    }));
    fc.assert(
      fc.property(fc.record({ root: tree }), (plain) => {
        expect(parseYaml(Buffer.from(writeYaml(plain))).value).toEqual(plain);
      }),
      { numRuns: 1000 },
    );
  });
});

it('writes in short steps, since its code is slow until it is compiled', () => {
  const parts = [...yamlParts(Array.from({ length: 20_000 }, (_, index) => `item ${index}`))];
  expect(Math.max(...parts.map((part) => part?.length ?? 0))).toBeLessThanOrEqual(16 * 1024);
  expect(parts.filter((part) => part === undefined).length).toBeGreaterThan(10);
});
