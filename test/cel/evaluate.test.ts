import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DYN, INT, list, map, STRING, type Type } from '../../src/cel/types.ts';
import { valueOfJson } from '../../src/cel/values/json.ts';
import { evaluate, type Outcome } from './support/evaluate.ts';
import { recordedValue, type WireValue } from './support/wire-values.ts';

/** An expression with the reference's result. */
interface Example {
  readonly expression: string;
  /** Whether the expression is a stored one, with the larger function set. */
  readonly stored?: boolean;
  /** Types are those in `TYPES`. */
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly programError?: string;
  readonly evalError?: string;
  readonly value?: WireValue;
  readonly cost?: number;
}

const TYPES: Readonly<Record<string, Type>> = { s: STRING, l: list(INT), m: map(STRING, STRING), d: DYN };
const examples = JSON.parse(
  readFileSync(new URL('fixtures/evaluation.json', import.meta.url), 'utf8'),
) as Example[];

function expectedOf({ programError, evalError, cost, value }: Example): Outcome {
  if (programError !== undefined) return { programError };
  return evalError === undefined ? { value: recordedValue(value!), cost } : { error: evalError, cost };
}

describe("values, errors and costs equal the reference's", () => {
  test.each(
    examples.map(
      (example) => [`${example.expression} ${JSON.stringify(example.variables ?? '')}`, example] as const,
    ),
  )('%s', (_title, example) => {
    const { expression, variables = {}, stored } = example;
    const declared = Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [
        name,
        { type: TYPES[name]!, value: valueOfJson(value) },
      ]),
    );
    expect(evaluate(expression, declared, { limit: 1_000_000 }, stored === true ? 'stored' : 'new')).toEqual(
      expectedOf(example),
    );
  });
});

test('an address that cannot be parsed fits no overload of containsIP and containsCIDR', () => {
  for (const call of ["containsIP('nonsense')", "containsCIDR('nonsense')"])
    expect(evaluate(`cidr('10.0.0.0/8').${call}`)).toMatchObject({ error: 'no such overload' });
});

test('the fragment of a URL belongs neither to its path nor to its query', () => {
  const url = (text: string) => `url('${text}')`;
  expect(evaluate(`${url('https://h/a?x=%41#f')}.getQuery() == {'x': ['A']}`)).toMatchObject({ value: true });
  expect(evaluate(`${url('https://h/a#f?g')}.getEscapedPath()`)).toMatchObject({ value: '/a' });
  expect(evaluate(`${url('/a#%zz')}.getHost()`)).toMatchObject({
    error: expect.stringContaining('invalid URL escape'),
  });
});
