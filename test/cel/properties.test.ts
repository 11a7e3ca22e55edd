import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DYN, INT, list, map, STRING } from '../../src/cel/types.ts';
import { valueOfJson } from '../../src/cel/values/json.ts';
import { evaluate, type Variables } from './support/evaluate.ts';

/** An expression with its literals, by the names of the variables that can replace them. */
interface Sample {
  readonly text: (literal: (source: string) => string) => string;
}

type Texts = (literal: (source: string) => string) => string;

const INTS = ['0', '1', '-1', '7', '9223372036854775807', '-9223372036854775808'];
const TEXTS = ['""', '"a"', '"abc"', '"é😀"', '"12"'];
const LISTS = ['[1, 2, 3]', '[0]', '[1, 0, -1]'];

const literalOf = (sources: readonly string[]): fc.Arbitrary<Texts> =>
  fc.constantFrom(...sources).map((source) => (literal) => literal(source));
const binary = (
  operators: readonly string[],
  left: fc.Arbitrary<Texts>,
  right: fc.Arbitrary<Texts>,
): fc.Arbitrary<Texts> =>
  fc.tuple(fc.constantFrom(...operators), left, right).map(
    ([operator, a, b]) =>
      (literal) =>
        `(${a(literal)} ${operator} ${b(literal)})`,
  );
const filled = (template: string, ...parts: fc.Arbitrary<Texts>[]): fc.Arbitrary<Texts> =>
  fc
    .tuple(...parts)
    .map(
      (texts) => (literal) => texts.reduce((text, part) => text.replace('#', () => part(literal)), template),
    );

/** Well-typed expressions over ints, texts, lists and booleans. */
const { bool } = fc.letrec<{ int: Texts; text: Texts; list: Texts; bool: Texts }>((tie) => ({
  int: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    literalOf(INTS),
    binary(['+', '-', '*', '/', '%'], tie('int'), tie('int')),
    filled('#.size()', tie('list')),
    filled('size(#)', tie('text')),
    filled('#[#]', tie('list'), tie('int')),
    filled('int(#)', tie('text')),
    filled('(# ? # : #)', tie('bool'), tie('int'), tie('int')),
    filled('#.indexOf(#)', tie('text'), tie('text')),
    filled('#[?#].orValue(#)', tie('list'), tie('int'), tie('int')),
  ),
  text: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    literalOf(TEXTS),
    binary(['+'], tie('text'), tie('text')),
    filled('string(#)', tie('int')),
    filled('#.replace(#, #)', tie('text'), tie('text'), tie('text')),
    filled('#.substring(#)', tie('text'), tie('int')),
    filled('"%s-%d".format([#, #])', tie('text'), tie('int')),
  ),
  list: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    literalOf(LISTS),
    filled('[#, #]', tie('int'), tie('int')),
    filled('#.map(x, x + #)', tie('list'), tie('int')),
    filled('#.filter(x, x > #)', tie('list'), tie('int')),
    binary(['+'], tie('list'), tie('list')),
  ),
  bool: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    binary(['==', '!=', '<', '>='], tie('int'), tie('int')),
    binary(['==', '!=', '<', '>='], tie('text'), tie('text')),
    binary(['&&', '||'], tie('bool'), tie('bool')),
    binary(['in'], tie('int'), tie('list')),
    filled('#.all(x, # < x)', tie('list'), tie('int')),
    filled('#.exists(x, # / x > 0)', tie('list'), tie('int')),
    filled('#.exists_one(x, x == #)', tie('list'), tie('int')),
    filled('#.matches(#)', tie('text'), tie('text')),
    filled('!#', tie('bool')),
    binary(['=='], tie('list'), tie('list')),
  ),
}));
const sample: fc.Arbitrary<Sample> = bool.map((text) => ({ text }));

/** Replaces each literal by a variable; returns the variables with their values. */
function withVariables({ text }: Sample): { expression: string; variables: Variables } {
  const sources = [...INTS, ...TEXTS, ...LISTS];
  const name = (source: string): string => `v${sources.indexOf(source)}`;
  const kinds = sources.map((source) =>
    source.startsWith('[') ? list(INT) : source.startsWith('"') ? STRING : INT,
  );
  const values = sources.map((source) =>
    valueOfJson(/^-?\d+$/.test(source) ? BigInt(source) : (JSON.parse(source) as unknown)),
  );
  return {
    expression: text(name),
    variables: Object.fromEntries(
      sources.map((source, index) => [name(source), { type: kinds[index]!, value: values[index]! }]),
    ),
  };
}

describe('properties of any expression', () => {
  test('gives the same result with constants as with variables', () => {
    fc.assert(
      fc.property(sample, (one) => {
        const { expression, variables } = withVariables(one);
        const folded = evaluate(one.text((source) => source));
        const plain = evaluate(expression, variables);
        // A constant that fails at planning also fails at evaluation, unless another operand decides the
        // result.
        if (folded.programError === undefined)
          expect({ value: plain.value, error: plain.error }).toEqual({
            value: folded.value,
            error: folded.error,
          });
      }),
      { numRuns: 400 },
    );
  });

  test('has a constant cost, and stops at the first step beyond a limit', () => {
    fc.assert(
      fc.property(sample, fc.integer({ min: 0, max: 60 }), (one, limit) => {
        const { expression, variables } = withVariables(one);
        const whole = evaluate(expression, variables);
        expect(evaluate(expression, variables)).toEqual(whole);
        const bounded = evaluate(expression, variables, { limit });
        if (whole.cost! <= limit) expect(bounded).toEqual(whole);
        else {
          expect(bounded.error).toBe('operation cancelled: actual cost limit exceeded');
          expect(bounded.cost).toBeGreaterThan(limit);
        }
      }),
      { numRuns: 400 },
    );
  });

  test('never throws, for any JSON', () => {
    const expressions = [
      'd.a == d.b',
      'd.a + d.b',
      'd.all(x, x == d)',
      'd.map(x, x)',
      'd[0].a < d.b',
      'd.?a[?0].orValue(d)',
      'size(d) > 0 || d.a in d.b',
      'd.a.startsWith(d.b)',
      '"%s".format([d])',
      '-d.a',
      '!d.a',
      'string(d.a) + d.b',
      'd.a ? d.b : d',
      '{d.a: d.b}[d.a]',
      'd.a.matches(d.b)',
      'type(d) == type(d.a)',
      'd.exists_one(k, d[k] == d)',
      'd.transformMap(k, v, [k, v])',
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...expressions),
        fc.oneof(fc.jsonValue(), fc.record({ a: fc.jsonValue(), b: fc.jsonValue() })),
        (expression, json) => {
          const outcome = evaluate(expression, {
            d: { type: DYN, value: valueOfJson(json) },
            m: { type: map(STRING, STRING), value: valueOfJson({}) },
          });
          expect(outcome.value !== undefined || outcome.error !== undefined).toBe(true);
        },
      ),
      { numRuns: 600 },
    );
  });
});
