import { describe, expect, test } from 'vitest';
import { DYN, INT, list, map, STRING, type Type } from '../../src/cel/types.ts';
import { valueOfJson } from '../../src/cel/values/json.ts';
import { recorded } from '../support/recorded.ts';
import { evaluate, type Outcome, type Variables } from './support/evaluate.ts';
import { recordedValue, type WireValue } from './support/wire-values.ts';

const LIMIT = 1_000_000;
const TYPES: Readonly<Record<string, Type>> = {
  string: STRING,
  'list(int)': list(INT),
  'map(string)': map(STRING, STRING),
  dyn: DYN,
};
/** The reference walks maps in random order, which changes the cost of these. */
const RANDOM = new Set(['m.exists(k, k == "bb")']);

interface Recorded {
  readonly expr: string;
  readonly env: 'new' | 'stored';
  readonly vars?: Readonly<Record<string, { readonly Type: string; readonly Value: unknown }>>;
  readonly compileError?: string;
  readonly programError?: string;
  readonly evalError?: string;
  readonly cost?: number;
  readonly value?: WireValue;
}

function expectedOf({ programError, evalError, cost, value }: Recorded): Outcome {
  if (programError !== undefined) return { programError };
  return evalError === undefined ? { value: recordedValue(value!), cost } : { error: evalError, cost };
}

describe('evaluation against recorded values, errors and costs', () => {
  const cases = recorded<Recorded[]>('cel-evaluation').filter(
    ({ compileError, expr }) => compileError === undefined && !RANDOM.has(expr),
  );
  test.each(cases.map((one) => [one.expr, one] as const))('%s', (expr, one) => {
    const variables: Variables = Object.fromEntries(
      Object.entries(one.vars ?? {}).map(([name, { Type, Value }]) => [
        name,
        { type: TYPES[Type]!, value: valueOfJson(Value) },
      ]),
    );
    expect(evaluate(expr, variables, { limit: LIMIT }, one.env)).toEqual(expectedOf(one));
  });
});
