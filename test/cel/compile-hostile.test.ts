import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compile } from '../../src/cel/compile.ts';
import { estimateCost } from '../../src/cel/cost/estimate.ts';
import { CompileError } from '../../src/cel/errors.ts';
import fixtures from './fixtures/compile.json' with { type: 'json' };
import { environment } from './support/environment.ts';

const declarations = environment('stored');

/** Compiles whatever it is; only a `CompileError` may come of it, and its message is that of its issues. */
function attempt(text: string): void {
  try {
    const checked = compile(text, declarations);
    const { min, max } = estimateCost(checked);
    expect(min <= max).toBe(true);
    for (const offset of checked.positions.values()) if (offset > text.length) expect.fail('a position outside of the text');
  } catch (error) {
    expect(error).toBeInstanceOf(CompileError);
    expect((error as CompileError).issues.length).toBeGreaterThan(0);
  }
}

const expressions = Object.keys({ ...fixtures.new, ...fixtures.stored });
const words = [
  ...'()[]{}.,:?!+-*/%<>=&|"\'\\ \n\t'.split(''),
  ...['==', '!=', '&&', '||', '.?', '[?', 'in', 'true', 'null', 'if', 'r"', "b'", '"""', '1', '2.5', '0x', '7u', '1e', 's', 'l', 'd', 'x', '__result__'],
  ...['has(', '.all(x,', '.map(x,', '.optMap(', '.transformMap(k,v,', 'size(', '.format([', '"%s%d"', 'duration("1h")', '日', '😀', '\u0000', '//'],
];

describe('whatever is written', () => {
  test('words in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 40 }), (parts) => attempt(parts.join(''))),
      { numRuns: 600 },
    );
  });

  test('any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), attempt), { numRuns: 300 });
  });

  test('expressions with a part replaced', () => {
    const mutation = fc.tuple(fc.constantFrom(...expressions), fc.nat(), fc.nat(12), fc.constantFrom('', ...words));
    fc.assert(
      fc.property(mutation, ([text, at, length, replacement]) => {
        const start = at % (text.length + 1);
        attempt(text.slice(0, start) + replacement + text.slice(start + length));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('texts of the greatest length', () => {
  const many = (text: string, length = 100_000): string => text.repeat(Math.floor(length / text.length));
  test.each(
    Object.entries({
      parentheses: many('('),
      brackets: many('['),
      braces: many('{'),
      entries: many('[{"a":'),
      identifier: many('a'),
      'fields of a name': `a${many('.a', 99_000)}`,
      'messages of messages': many('a.b{'),
      sums: `1${many('+1', 99_000)}`,
      conjunctions: `x${many('&&x', 99_000)}`,
      'reserved words': `if${many('&&if', 99_000)}`,
      conditions: many('a?b:'),
      negations: `${many('!', 99_000)}d`,
      'minus signs': `${many('-', 99_000)}1`,
      'a long list': `[${many('1,', 99_000)}]`,
      'a long list of maps': `[${many('{1:2},', 99_000)}]`,
      'mixed types': `[1${many(',"a"', 99_000)}]`,
      quotes: many('"'),
      'triple quotes': many("'''"),
      escapes: `"${many('\\n', 99_000)}"`,
      digits: many('9'),
      'unknown characters': many('$'),
      words: many('a '),
      dots: `a${many('.', 99_000)}`,
      'pairs of surrogates': `[${many('"😀",', 99_000)}`,
      'nested macros': many('[1].map(x,'),
      'macros in a row': `l${many('.map(x,x)', 99_000)}`,
      'macros that copy': `d${many('.optMap(x,x)', 3000)}`,
      clauses: `"${many('%', 99_000)}".format([])`,
    }),
  )(
    '%s',
    (_, text) => {
      const start = process.cpuUsage();
      attempt(text);
      const { user, system } = process.cpuUsage(start);
      // Processor time: other work on the machine is no failure.
      expect((user + system) / 1000).toBeLessThan(10_000);
    },
    60_000,
  );
});
