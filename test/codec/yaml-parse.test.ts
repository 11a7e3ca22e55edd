import fc from 'fast-check';
import { dump, load, YAML11_SCHEMA } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { TooManyPartsError } from '../../src/codec/parts.ts';
import { parseYaml, parsingYaml, writeYaml } from '../../src/codec/yaml.ts';
import type { Steps } from '../../src/steps/steps.ts';
import { collect } from '../support/retained.ts';

const value = (text: string): unknown => parseYaml(Buffer.from(text)).value;

/** Runs a parser; returns its result and the number of its steps. */
function stepsOf<Result>(steps: Steps<Result>): { result: Result; count: number } {
  for (let count = 1; ; count++) {
    const step = steps.next();
    if (step.done === true) return { result: step.value, count };
  }
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 120 }),
  fc
    .array(fc.constantFrom('a', ' ', '\n', ':', '-', '#', "'", '"', 'word ', ',', '|', '0', '.', '[', '}'), {
      maxLength: 40,
    })
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

describe('parseYaml', () => {
  it.each([
    ['a: [b\n', "yaml: line 1: did not find expected ',' or ']'"],
    ['a: b: c\n', 'yaml: mapping values are not allowed in this context'],
    ['a: 1\nb\nc: 2\n', "yaml: line 3: could not find expected ':'"],
    // The first of two errors, as in Go's decoder.
    ["1key: value\n\n    \n'y'{}\"---\n- \n  ", 'yaml: line 6: found unexpected end of stream'],
    ['metadata:\n\tname: j\n', 'yaml: line 2: found character that cannot start any token'],
    ["a: 'b\n", 'yaml: line 2: found unexpected end of stream'],
    ['a: "\\q"\n', 'yaml: found unknown escape character'],
    ['a: @b\n', 'yaml: found character that cannot start any token'],
    ['- a\nb: c\n', "yaml: line 1: did not find expected '-' indicator"],
    ['a:\n  b: 1\n c: 2\n', 'yaml: line 2: did not find expected key'],
    ['a: {b: 1\n', "yaml: line 1: did not find expected ',' or '}'"],
    [
      '{{ .Values.x }}: 1\n',
      'yaml: invalid map key: map[interface {}]interface {}{".Values.x":interface {}(nil)}',
    ],
    [
      'a: {{ .Values.x }}\n',
      'yaml: invalid map key: map[interface {}]interface {}{".Values.x":interface {}(nil)}',
    ],
    ['a: *x\n', "yaml: unknown anchor 'x' referenced"],
    ['a: &a [*a]\n', "yaml: anchor 'a' value contains itself"],
    ['? [a, 1]\n: b\n', 'yaml: invalid map key: []interface {}{"a", 1}'],
    ['~: x\n', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: "x"'],
    ['%YAML 1.2\n---\na: b\n', 'yaml: found incompatible YAML document'],
    ['a: !x!y z\n', 'yaml: found undefined tag handle'],
    ['a: |0\n  b\n', 'yaml: found an indentation indicator equal to 0'],
    ['a: >\n\tb\n', 'yaml: line 2: found a tab character where an indentation space is expected'],
    ['a: "\\ud83d"\n', 'yaml: found invalid Unicode character escape code'],
    ['key: [a, b}\n', "yaml: did not find expected ',' or ']'"],
    ['a: 1\n- b\n', 'yaml: line 1: did not find expected key'],
    ['[a]: 1\n', 'yaml: invalid map key: []interface {}{"a"}'],
    ['<<: [1]\n', 'yaml: map merge requires map or sequence of maps as the value'],
    ['a: \u0001\n', 'yaml: control characters are not allowed'],
  ])('refuses %j in the words of kube-apiserver', (document, message) => {
    expect(() => value(document)).toThrow(expect.objectContaining({ message }));
  });

  it.each([
    ['a: b\n---\n@\n', '{"a":"b"}'],
    ['1.5: a\n100000000000000000000: b\n', '{"1.5":"a","1e+20":"b"}'],
    ['a: "x\n  y\\\n  z\n\n  w"\n', '{"a":"x yz\\nw"}'],
    ['a: x\n  y\n\n  z # c\n', '{"a":"x y\\nz"}'],
    ['a: >\n  x\n  y\n\n    z\n  w\n', '{"a":"x y\\n\\n  z\\nw\\n"}'],
    ['a: |+\n  x\n\nb: |-\n  y\n', '{"a":"x\\n\\n","b":"y"}'],
    ["a: 'it''s\n  ok'\n", '{"a":"it\'s ok"}'],
    ['- - a\n  - b\n- {c: d, e}\n- [f: g]\n', '[["a","b"],{"c":"d","e":null},[{"f":"g"}]]'],
    ['a: !!str 1\nb: !!float 2\nc: ! 3\n', '{"a":"1","b":2,"c":"3"}'],
    ['%TAG !e! tag:yaml.org,2002:\n---\na: !e!str 1\n', '{"a":"1"}'],
    ['a:\n- b\n-\n- c\nd:\n', '{"a":["b",null,"c"],"d":null}'],
    ['"a": b\n? c\n: d\n? e\n', '{"a":"b","c":"d","e":null}'],
    ['a: b #c\n#d\ne: f#g\n', '{"a":"b","e":"f#g"}'],
  ])('reads %j as kube-apiserver', (document, json) => {
    expect(JSON.stringify(value(document))).toBe(json);
  });

  it('reports the keys that merged mappings repeat, by the lines of their values', () => {
    const document = 'a: &a {x: 1}\nb: {<<: *a, x: 2}\nc: {x: 3, <<: [*a, {x: 4}]}\n';
    const { value: read, duplicates } = parseYaml(Buffer.from(document));
    expect(read).toEqual({ a: { x: 1 }, b: { x: 2 }, c: { x: 1 } });
    expect(duplicates).toEqual([2, 3, 1].map((line) => `line ${line}: key "x" already set in map`));
  });

  it('reads what another library writes', () => {
    const options = fc.record({
      forceQuotes: fc.boolean(),
      lineWidth: fc.constantFrom(20, 80, -1),
    });
    fc.assert(
      fc.property(fc.record({ root: tree }), options, (plain, style) => {
        const written = dump(plain, { ...style, schema: YAML11_SCHEMA, noRefs: true });
        expect(value(written)).toEqual(plain);
      }),
      { numRuns: 500 },
    );
  });

  it('reads what the writer writes as another library does', () => {
    fc.assert(
      fc.property(fc.record({ root: tree }), (plain) => {
        const written = writeYaml(plain);
        expect(value(written)).toEqual(plain);
        expect(load(written, { schema: YAML11_SCHEMA })).toEqual(plain);
      }),
      { numRuns: 500 },
    );
  });
});

describe('parsingYaml', () => {
  const LINES = 20_000;
  const lines = (line: (index: number) => string, count = LINES): string =>
    Array.from({ length: count }, (_, index) => line(index)).join('');

  it.each<[string, string]>([
    ['members', lines((index) => `k${index}: v\n`)],
    ['comments', `${lines(() => '# comment\n')}a: b\n`],
    ['a plain text', `a: ${lines(() => 'b\n  ')}`],
    ['a literal text', `a: |\n${lines(() => '  b\n')}`],
    ['a quoted text', `a: "${lines(() => '\\n\\u00e9\n  ')}"`],
    [
      'merges',
      `a: &a {b: 1, c: [1, 2, 3, 4, 5, 6, 7, 8, 9]}\nd:\n${lines((index) => `- {<<: *a, e: ${index}}\n`, 3000)}`,
    ],
  ])('pauses within %s', (_what, document) => {
    const { result, count } = stepsOf(parsingYaml(Buffer.from(document)));
    expect(count).toBeGreaterThan(4);
    expect(result).toMatchObject(parseYaml(Buffer.from(document)));
  });

  it('counts the parts of aliases before it copies them', () => {
    // Each level doubles the one before: all of them would have 2^40 items.
    const levels = Array.from(
      { length: 40 },
      (_, level) => `a${level}: &a${level} [${level === 0 ? '1, 2' : `*a${level - 1}, *a${level - 1}`}]\n`,
    );
    const own = lines(() => '- 1\n');
    const document = Buffer.from(`own:\n${own}${levels.join('')}`);
    expect(() => stepsOf(parsingYaml(document, 100_000))).toThrow(TooManyPartsError);
    expect(() => stepsOf(parsingYaml(document))).toThrow('document contains excessive aliasing');
  });

  it('stops at the limit of parts', () => {
    const { count } = stepsOf(parsingYaml(Buffer.from(lines(() => '- a\n')), LINES));
    expect(count).toBeLessThan(100);
    expect(() => stepsOf(parsingYaml(Buffer.from(lines(() => '- a\n')), LINES - 1))).toThrow(
      TooManyPartsError,
    );
  });

  it('refuses aliases that nest containers too deeply', () => {
    const deep = `${'['.repeat(6000)}${']'.repeat(6000)}`;
    const inside = `${'['.repeat(6000)}*a${']'.repeat(6000)}`;
    expect(() => value(`a: &a ${deep}\nb: ${inside}\n`)).toThrow('yaml: exceeded max depth of 10000');
  });
});

it('keeps scalars with an anchor without more than their names', () => {
  const COUNT = 40_000;
  /** Bytes of the heap that the parser reaches after all items. */
  const reached = (anchor: (index: number) => string): number => {
    const items = Array.from({ length: COUNT }, (_, index) => `- ${anchor(index)}1\n`).join('');
    const steps = parsingYaml(Buffer.from(`${items}- [\n`));
    let most = 0;
    for (let step = 0; ; step += 1) {
      try {
        if (steps.next().done === true) return most;
      } catch {
        return most;
      }
      if (step % 8 !== 0) continue;
      collect();
      most = Math.max(most, process.memoryUsage().heapUsed);
    }
  };
  const without = reached(() => '');
  // The name, and an entry of a map: an object for each would be as much again.
  expect((reached((index) => `&a${index} `) - without) / COUNT).toBeLessThan(110);
});
