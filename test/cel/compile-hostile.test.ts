import fc from 'fast-check';
import { describe, test } from 'vitest';
import fixtures from './fixtures/compile.json' with { type: 'json' };
import { attempt } from './support/attempt.ts';

const expressions = Object.keys({ ...fixtures.new, ...fixtures.stored });
const words = [
  ...'()[]{}.,:?!+-*/%<>=&|"\'\\ \n\t'.split(''),
  ...[
    '==',
    '!=',
    '&&',
    '||',
    '.?',
    '[?',
    'in',
    'true',
    'null',
    'if',
    'r"',
    "b'",
    '"""',
    '1',
    '2.5',
    '0x',
    '7u',
    '1e',
    's',
    'l',
    'd',
    'x',
    '__result__',
  ],
  ...[
    'has(',
    '.all(x,',
    '.map(x,',
    '.optMap(',
    '.transformMap(k,v,',
    'size(',
    '.format([',
    '"%s%d"',
    'duration("1h")',
    '日',
    '😀',
    '\u0000',
    '//',
  ],
];

describe('compile throws only CompileError', () => {
  test('for words in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 40 }), (parts) => attempt(parts.join(''))),
      { numRuns: 600 },
    );
  });

  test('for arbitrary text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), attempt), { numRuns: 300 });
  });

  test('for expressions with a part replaced', () => {
    const mutation = fc.tuple(
      fc.constantFrom(...expressions),
      fc.nat(),
      fc.nat(12),
      fc.constantFrom('', ...words),
    );
    fc.assert(
      fc.property(mutation, ([text, at, length, replacement]) => {
        const start = at % (text.length + 1);
        attempt(text.slice(0, start) + replacement + text.slice(start + length));
      }),
      { numRuns: 1000 },
    );
  });
});
