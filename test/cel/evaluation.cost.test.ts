import { describe, expect, test } from 'vitest';
import { DYN, INT, list, STRING } from '../../src/cel/types.ts';
import { valueOfJson } from '../../src/cel/values/json.ts';
import { leastRatio, processorTime } from '../support/processor-time.ts';
import { evaluate, type Outcome, type Variables } from './support/evaluate.ts';

const LIMIT = 1_000_000;
const EXCEEDED = 'operation cancelled: actual cost limit exceeded';
const numbers: Variables = {
  l: { type: list(INT), value: valueOfJson(Array.from({ length: 1000 }, (_, index) => index)) },
};
const text = (value: string): Variables => ({ s: { type: STRING, value } });

/** The maximum ratio between the time of an expression and that of a plain evaluation with the same limit. */
const MOST_TIMES = 200;
const plain = (): number =>
  processorTime(() => evaluate('l.all(a, l.all(b, a + b >= 0))', numbers, { limit: LIMIT }));

/** Evaluates, and checks that the time stays within the bound for the limit. */
function timed(work: () => Outcome): Outcome {
  const result = work();
  expect(leastRatio(() => processorTime(work), plain, MOST_TIMES)).toBeLessThan(MOST_TIMES);
  return result;
}

/** Binds a value to a new name around an expression, with a comprehension. */
const bind = (name: string, value: string, body: string): string => `[${value}].map(${name}, ${body})[0]`;

/** Nests bindings: each name is computed from the previous one. */
function chain(
  first: string,
  next: (name: string) => string,
  length: number,
  body: (name: string) => string,
): string {
  let expression = body(`v${length}`);
  for (let index = length; index > 0; index--)
    expression = bind(`v${index}`, next(`v${index - 1}`), expression);
  return bind('v0', first, expression);
}

describe('an evaluation stays within its limits', () => {
  test.each([
    ['comprehensions in each other', 'l.all(a, l.all(b, l.all(c, l.all(d, a + b + c + d >= 0))))'],
    ['lists of lists', 'l.map(a, l.map(b, l.map(c, [a, b, c]))).size() > 0'],
    ['errors that are absorbed', 'l.all(a, l.all(b, 1 / 0 > 0 || a >= 0))'],
    ['sets', 'sets.equivalent(l + l, l + l + l)'],
  ])('%s', (_name, expression) => {
    expect(timed(() => evaluate(expression, numbers, { limit: LIMIT }))).toMatchObject({ error: EXCEEDED });
  });

  test('for lists that double', () => {
    const doubled = chain(
      'l',
      (name) => `${name} + ${name}`,
      20,
      (name) => `${name}.size()`,
    );
    expect(timed(() => evaluate(doubled, numbers, { limit: LIMIT }))).toMatchObject({
      value: 1000 * 2 ** 20,
    });
    const searched = chain(
      'l',
      (name) => `${name} + ${name}`,
      20,
      (name) => `-1 in ${name}`,
    );
    expect(timed(() => evaluate(searched, numbers, { limit: LIMIT }))).toMatchObject({ error: EXCEEDED });
  });

  test('for comparing and counting lists with shared parts', () => {
    const nested = { d: { type: DYN, value: valueOfJson([1]) } };
    const compared = chain(
      'd',
      (name) => `dyn([${name}, ${name}])`,
      40,
      (name) => `${name} == ${name}`,
    );
    expect(timed(() => evaluate(compared, nested, { limit: LIMIT }))).toMatchObject({ error: EXCEEDED });
    const formatted = chain(
      'd',
      (name) => `dyn([${name}, ${name}])`,
      40,
      (name) => `"%s".format([${name}])`,
    );
    expect(timed(() => evaluate(formatted, nested, { limit: LIMIT }))).toMatchObject({ error: EXCEEDED });
    const found = chain(
      'd',
      (name) => `dyn([${name}, ${name}])`,
      40,
      (name) => `${name}.indexOf(1)`,
    );
    expect(timed(() => evaluate(found, nested, { limit: LIMIT }))).toMatchObject({ error: EXCEEDED });
  });

  test.each([
    [
      'added',
      chain(
        's',
        (name) => `${name} + ${name}`,
        40,
        (name) => `${name}.size()`,
      ),
    ],
    [
      'replaced',
      chain(
        's',
        (name) => `${name}.replace("a", s)`,
        20,
        (name) => `${name}.size()`,
      ),
    ],
    [
      'put between',
      chain(
        's',
        (name) => `${name}.replace("", s)`,
        20,
        (name) => `${name}.size()`,
      ),
    ],
    [
      'joined',
      chain(
        's',
        (name) => `[${name}, ${name}, ${name}].join(${name})`,
        20,
        (name) => `${name}.size()`,
      ),
    ],
    [
      'formatted',
      chain(
        's',
        (name) => `"%s%s%s".format([${name}, ${name}, ${name}])`,
        40,
        (name) => `${name}.size()`,
      ),
    ],
    [
      'quoted',
      chain(
        '"\\"\\\\" + s',
        (name) => `strings.quote(${name})`,
        40,
        (name) => `${name}.size()`,
      ),
    ],
  ])('texts that are %s', (_name, expression) => {
    expect(timed(() => evaluate(expression, text('a'.repeat(1000)), { limit: LIMIT }))).toMatchObject({
      error: EXCEEDED,
    });
  });

  test.each(['(a*)*b', '(a|a)*b', '(a|aa)+$b', '^(a+)+$', '(.*a){12}b'])('for the pattern %s', (pattern) => {
    expect(
      timed(() => evaluate(`s.matches('${pattern}')`, text('a'.repeat(20_000)), { limit: LIMIT })).error,
    ).toBeUndefined();
  });

  test('for counting long texts repeatedly', () => {
    const both = { ...numbers, ...text('é😀'.repeat(500_000)) };
    expect(timed(() => evaluate('l.all(a, l.all(b, s.size() > 0))', both, { limit: LIMIT }))).toMatchObject({
      error: EXCEEDED,
    });
    expect(timed(() => evaluate('l.all(a, s.charAt(a) != "")', both, { limit: LIMIT }))).toMatchObject({
      value: true,
    });
  });

  test('for maps built entry by entry', () => {
    const many = {
      l: { type: list(INT), value: valueOfJson(Array.from({ length: 100_000 }, (_, index) => index)) },
    };
    expect(timed(() => evaluate('l.transformMap(i, v, v).size()', many, { limit: LIMIT }))).toMatchObject({
      value: 100_000,
    });
  });

  test('for a large precision', () => {
    expect(evaluate('"%.999999999f".format([1.0 + double(s.size())])', text('x'))).toMatchObject({
      error: expect.stringContaining('precision') as string,
    });
  });

  test('for a value nested deeper than the stack', () => {
    let json: unknown = 1;
    for (let depth = 0; depth < 200_000; depth++) json = [json];
    const deep = { d: { type: DYN, value: valueOfJson(json) } };
    expect(evaluate('d == d', deep)).toMatchObject({ error: 'expression is nested too deeply' });
  });
});
