import { expect, test } from 'vitest';
import { growthAtFourTimes, LINEAR_AT_FOUR_TIMES } from '../support/processor-time.ts';
import { attempt } from './support/attempt.ts';

/** The longest compiled text is four times this length. */
const LENGTH = 25_000;
const many = (text: string, length: number): string => text.repeat(Math.floor(length / text.length));

const TEXTS: Readonly<Record<string, (size: number) => string>> = {
  parentheses: (size) => many('(', size),
  brackets: (size) => many('[', size),
  braces: (size) => many('{', size),
  entries: (size) => many('[{"a":', size),
  identifier: (size) => many('a', size),
  'fields of a name': (size) => `a${many('.a', size * 0.99)}`,
  'messages of messages': (size) => many('a.b{', size),
  sums: (size) => `1${many('+1', size * 0.99)}`,
  conjunctions: (size) => `x${many('&&x', size * 0.99)}`,
  'reserved words': (size) => `if${many('&&if', size * 0.99)}`,
  conditions: (size) => many('a?b:', size),
  negations: (size) => `${many('!', size * 0.99)}d`,
  'minus signs': (size) => `${many('-', size * 0.99)}1`,
  'a long list': (size) => `[${many('1,', size * 0.99)}]`,
  'a long list of maps': (size) => `[${many('{1:2},', size * 0.99)}]`,
  'mixed types': (size) => `[1${many(',"a"', size * 0.99)}]`,
  quotes: (size) => many('"', size),
  'triple quotes': (size) => many("'''", size),
  escapes: (size) => `"${many('\\n', size * 0.99)}"`,
  digits: (size) => many('9', size),
  'unknown characters': (size) => many('$', size),
  words: (size) => many('a ', size),
  dots: (size) => `a${many('.', size * 0.99)}`,
  'pairs of surrogates': (size) => `[${many('"😀",', size * 0.99)}`,
  'nested macros': (size) => many('[1].map(x,', size),
  'macros in a row': (size) => `l${many('.map(x,x)', size * 0.99)}`,
  'macros that copy': (size) => `d${many('.optMap(x,x)', size * 0.03)}`,
  clauses: (size) => `"${many('%', size * 0.99)}".format([])`,
};

test.each(Object.entries(TEXTS))('compiles a long text in linear time: %s', (_what, textOf) => {
  const growth = growthAtFourTimes(LENGTH, (size) => {
    const text = textOf(size);
    return () => attempt(text);
  });
  expect(growth).toBeLessThan(LINEAR_AT_FOUR_TIMES);
});
